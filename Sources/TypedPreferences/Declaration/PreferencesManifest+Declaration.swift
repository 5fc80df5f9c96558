public import Manifests
public import Preferences
public import PropertyList

/// A program's declaration of its preferences.
extension PreferencesManifest {
  /// Creates the manifest of the keys that a program declares.
  ///
  /// ```swift
  /// let manifest = PreferencesManifest(
  ///   "org.example.notes", title: "Notes", Keys.tabWidth, Keys.folder)
  /// ```
  ///
  /// All texts list the keys in this order. Their types come from Swift's, with the cases of
  /// enumerations that have raw values and are `CaseIterable`, the elements of containers, and the
  /// members of Codable types as far as a default shows them.
  ///
  /// - Parameters:
  ///   - domain: The domain, such as `org.example.notes`.
  ///   - title: The domain's name for people.
  ///   - description: What the program is.
  ///   - keys: The keys of the domain. Their stores are ignored.
  public init(
    _ domain: String, title: String? = nil, description: String? = nil,
    _ keys: any DeclaredPreference...
  ) {
    self.init(
      domain: domain, title: title, description: description, keys: keys.map(\.manifestKey))
  }

  /// The keys of the domain, as declared by the program or described by the document.
  package var declaredKeys: [SettableKey] {
    keys.filter { $0.name?.hasPrefix("{{") == false && !$0.isOfEnvelope }.map { key in
      key.declaration.object as? SettableKey ?? SettableKey(key)
    }
  }

  /// Checks all values of a domain; `options.check = manifest.check` makes a store refuse a file with
  /// wrong values.
  ///
  /// Keys that the manifest does not describe are allowed. A store reports the key paths, and the
  /// lines of a text file.
  ///
  /// - Throws: ``ManifestRefusal`` with all wrong values.
  public func check(_ values: PlistDictionary) throws(ManifestRefusal) {
    let problems = declaredKeys.compactMap { key -> ManifestRefusal.Problem? in
      guard let value = values[key.name], let refusal = key.refusal(of: value) else { return nil }
      // A place within a secret reveals the secret's structure.
      let place = key.key.holdsSecret ? [] : refusal.place.components
      return ManifestRefusal.Problem(
        keyPath: PlistKeyPath(components: [key.name] + place), message: refusal.description)
    }
    let missing = keys.filter { key in
      key.requirement == .always && !key.isOfEnvelope && key.name.map { values[$0] == nil } == true
    }.map { key in
      ManifestRefusal.Problem(
        keyPath: PlistKeyPath(components: [key.name ?? ""]), message: "the required key is missing")
    }
    if let refusal = ManifestRefusal(problems + missing) { throw refusal }
  }

  /// Checks each value that a store sets, for `Options.valueCheck`.
  ///
  /// The closure throws `expected 1 to 16 columns`, for example.
  public var valueCheck: PreferencesStore.Options.ValueCheck {
    let keys = declaredKeysByName
    return { name, value in
      if let refusal = keys[name]?.refusal(of: value) { throw refusal }
    }
  }

  var declaredKeysByName: [String: SettableKey] {
    Dictionary(declaredKeys.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
  }
}

// MARK: Stores

extension PreferencesStore.Options {
  /// Lets a store read the environment variables and the command-line options that a manifest declares,
  /// and refuse values that it does not allow.
  ///
  /// For other keys, the variables that `environment` allows are read. The command line has only
  /// the declared options: `-key value` sets nothing.
  ///
  /// - Parameters:
  ///   - manifest: The manifest.
  ///   - arguments: The command line without the program's name.
  /// - Returns: The other arguments: words, options that are not declared, and everything from `--`
  ///   on.
  /// - Throws: The error of an option without a value, or with a value that is not allowed. Nothing
  ///   has then changed.
  @discardableResult
  public mutating func declare(
    _ manifest: PreferencesManifest, arguments: [String] = Array(CommandLine.arguments.dropFirst())
  ) throws(PreferencesCommandError) -> [String] {
    let (parsed, rest) = try OptionTable(manifest.declaredKeys).parse(arguments)
    parsedArguments = parsed
    let keys = manifest.declaredKeysByName
    if environment != nil || keys.values.contains(where: { $0.environmentVariable != nil }) {
      environment = EnvironmentOptions(declaring: keys, otherwise: environment)
    }
    let (check, declared) = (valueCheck, manifest.valueCheck)
    valueCheck = { key, value in
      try declared(key, value)
      try check?(key, value)
    }
    return rest
  }
}

extension EnvironmentOptions {
  /// The variables of declared keys, and for other keys the variables that other rules allow.
  fileprivate init(declaring keys: [String: SettableKey], otherwise: EnvironmentOptions?) {
    self.init(prefix: "")
    variables = otherwise?.variables
    naming = .custom { key in
      keys[key]?.environmentVariable ?? otherwise?.variable(forKey: key)
    }
    readDeclared = { key, text in
      guard let declared = keys[key] else { return otherwise?.readDeclared?(key, text) }
      do throws(SettableKey.Refusal) { return .value(try declared.value(of: text)) } catch {
        return .expected(error.expected)
      }
    }
  }
}

extension PreferencesStore {
  /// Names the application's domain by a manifest, whose environment variables and command-line
  /// options the standard store then reads. Call it before that store is first used; the keys may
  /// already exist.
  ///
  /// ```swift
  /// let arguments = try PreferencesStore.setApplication(manifest)
  /// ```
  ///
  /// - Parameters:
  ///   - manifest: The manifest.
  ///   - options: Other options of the standard store.
  ///   - arguments: The command line without the program's name.
  /// - Returns: The arguments that are not declared options; see
  ///   ``Preferences/PreferencesStore/Options/declare(_:arguments:)``.
  /// - Throws: ``PreferencesCommandError`` for a wrong option, or the errors of
  ///   `PreferencesStore.setApplication(identifier:options:)`.
  @discardableResult
  public static func setApplication(
    _ manifest: PreferencesManifest, options: Options = Options(),
    arguments: [String] = Array(CommandLine.arguments.dropFirst())
  ) throws -> [String] {
    var options = options
    let rest = try options.declare(manifest, arguments: arguments)
    try setApplication(identifier: manifest.domain, options: options)
    return rest
  }
}

/// The values that a manifest does not allow.
public struct ManifestRefusal: Error, Sendable, Hashable {
  /// A value that is not allowed.
  public struct Problem: Sendable, Hashable {
    /// The place of the value.
    public var keyPath: PlistKeyPath
    /// What was expected, without the value: `expected 1 to 16 columns`.
    public var message: String
  }

  private static let maximumCount = 10

  /// The wrong values, in the order of the manifest.
  public let problems: [Problem]

  /// Nil without problems.
  init?(_ problems: [Problem]) {
    if problems.isEmpty { return nil }
    self.problems = problems
  }
}

extension ManifestRefusal: CustomStringConvertible, LocatedError {
  /// The problems on one line: `tabWidth: expected 1 to 16 columns; theme: expected "dark" or
  /// "light"`.
  public var description: String { description { _ in nil } }

  package func description(line: (PlistKeyPath) -> Int?) -> String {
    let texts = problems.prefix(Self.maximumCount).map { problem in
      let place = line(problem.keyPath).map { "line \($0), " } ?? ""
      return "\(place)\(problem.keyPath.excerpt): \(problem.message)"
    }
    let rest = problems.count - texts.count
    return (texts + (rest > 0 ? ["\(rest) more"] : [])).joined(separator: "; ")
  }
}
