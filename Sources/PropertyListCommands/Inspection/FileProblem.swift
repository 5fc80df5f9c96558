internal import CommandLineInterface
internal import Manifests
internal import PropertyList

/// A finding of `-lint` in a file.
struct FileProblem {
  enum Severity: String {
    case error
    case warning
    /// Something that could not be checked.
    case note

    /// The name of GitHub's workflow command.
    fileprivate var command: String { self == .note ? "notice" : rawValue }
  }

  var severity: Severity
  /// The message with its place in the file.
  let description: String
  private let message: String
  private let location: PlistError.Location?
  private let keyPath: PlistKeyPath
  /// The line, if no column is known.
  private var line: Int?
  /// Further entries of the object in JSON.
  private var details: PlistDictionary = [:]

  init(_ warning: PlistWarning) {
    self.init(.warning, "\(warning)", warning.message, at: warning.location, warning.keyPath)
  }

  /// A file that is not a valid property list.
  init(_ problem: InputProblem) {
    switch problem {
    case .file(let message): self.init(.error, message, message)
    case .document(let error):
      self.init(
        .error, "\(error)", "\(error.error.kind)\(error.remedy(for: "plutil"))",
        at: error.error.location, error.error.keyPath)
    }
  }

  /// A deviation of the value at a path from a manifest, with its line in a text format.
  init(_ finding: ManifestFinding, in path: PlistKeyPath, line: Int?) {
    let keyPath = PlistKeyPath(components: path.components + finding.keyPath.components)
    self.init(finding.severity.rawValue, finding.message, keyPath, line: line)
    if let expected = finding.expected { details["expected"] = .string(expected) }
    if !finding.allowedValues.isEmpty {
      details["allowedValues"] = TypedJSON.encode(.array(finding.allowedValues))
    }
    if let name = finding.nearestName { details["nearestName"] = .string(name) }
  }

  /// A problem of a manifest itself, with its line in a text format.
  init(_ problem: ManifestProblem, line: Int?) {
    self.init(problem.severity.rawValue, problem.message, problem.keyPath, line: line)
  }

  private init(_ severity: String, _ message: String, _ keyPath: PlistKeyPath, line: Int?) {
    let place = line.map { "line \($0): " } ?? ""
    let path = keyPath.isRoot ? "" : " (key path \(keyPath.excerpt))"
    self.init(Severity(rawValue: severity) ?? .error, place + message + path, message, keyPath)
    self.line = line
  }

  /// A check that was not made.
  init(note message: String, at keyPath: PlistKeyPath = PlistKeyPath()) {
    self.init("note", message, keyPath, line: nil)
  }

  init(error message: String) { self.init(.error, message, message) }

  private init(
    _ severity: Severity, _ description: String, _ message: String,
    at location: PlistError.Location? = nil, _ keyPath: PlistKeyPath = PlistKeyPath()
  ) {
    (self.severity, self.description, self.message) = (severity, description, message)
    (self.location, self.keyPath) = (location, keyPath)
  }

  /// The object of a line of JSON.
  func object(in file: String) -> PlistDictionary {
    var object: PlistDictionary = ["file": .string(file)]
    object.add(location)
    if let line { object["line"] = .integer(Int64(line)) }
    if !keyPath.isRoot { object["keyPath"] = .string("\(keyPath)") }
    object["severity"] = .string(severity.rawValue)
    object["message"] = .string(message)
    for (name, value) in details { object[name] = value }
    return object
  }

  /// The workflow command that makes GitHub show the problem at its line.
  func workflowCommand(in file: String) -> String {
    var properties = "file=\(Self.escaped(file, ":,"))"
    if case .line(let line, let column)? = location { properties += ",line=\(line),col=\(column)" }
    if let line { properties += ",line=\(line)" }
    let message = keyPath.isRoot ? message : "\(message) (key path \(keyPath.excerpt))"
    return "::\(severity.command) \(properties)::\(Self.escaped(message.onOneLine, ""))"
  }

  /// A text with line breaks, percent signs and other characters escaped as in URLs.
  private static func escaped(_ text: String, _ others: String) -> String {
    var escaped = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if scalar == "%" || scalar == "\r" || scalar == "\n" || others.unicodeScalars.contains(scalar)
      {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        escaped.append(contentsOf: "%\(digits.count < 2 ? "0" : "")\(digits)".unicodeScalars)
      } else {
        escaped.append(scalar)
      }
    }
    return String(escaped)
  }
}

extension FileProblem {
  /// The deviations of a valid property list from what its purpose requires.
  static func problemsOfRole(in document: PlistDocument, at path: String) -> [FileProblem] {
    guard case .dictionary(let root) = document.value else { return [] }
    switch DocumentRole(of: document, at: path)?.title {
    case DocumentRole.informationTitle?:
      let key = "CFBundleIdentifier"
      if case .string? = root[key] { return [] }
      return [
        FileProblem(key, root[key] == nil ? "an Info.plist needs this key" : "expected a string")
      ]
    case DocumentRole.launchdTitle?: return root.compactMap { launchdProblem(of: $0.key, $0.value) }
    default: return []
    }
  }

  private init(_ key: String, _ message: String) {
    self.init("warning", message, PlistKeyPath(components: [key]), line: nil)
  }

  private static func launchdProblem(of key: String, _ value: PlistValue) -> FileProblem? {
    guard let kinds = launchdKeys[key] else {
      let suggestion = Suggestion.text(for: key, among: launchdKeys.keys.sorted())
      return FileProblem(key, "launchd does not know this key\(suggestion)")
    }
    guard !kinds.contains(value.kind) else { return nil }
    let expected = kinds.map(\.withArticle).joined(separator: " or ")
    return FileProblem(key, "launchd expects \(expected), not \(value.kind.withArticle)")
  }

  /// The keys of launchd.plist(5), with the kinds of their values.
  private static let launchdKeys: [String: [PlistValue.Kind]] = {
    var kinds: [String: [PlistValue.Kind]] = [
      "AssociatedBundleIdentifiers": [.string, .array], "KeepAlive": [.boolean, .dictionary],
      "LimitLoadToSessionType": [.string, .array], "StartCalendarInterval": [.dictionary, .array],
      "Umask": [.integer, .string],
    ]
    let names: [(PlistValue.Kind, String)] = [
      (
        .string,
        "BundleProgram GroupName Label POSIXSpawnType ProcessType Program RootDirectory "
          + "ServiceDescription StandardErrorPath StandardInPath StandardOutPath UserName "
          + "WorkingDirectory"
      ),
      (
        .boolean,
        "AbandonProcessGroup Debug Disabled EnableGlobbing EnablePressuredExit EnableTransactions "
          + "HopefullyExitsFirst HopefullyExitsLast InitGroups LaunchOnlyOnce LegacyTimers "
          + "LowPriorityBackgroundIO LowPriorityIO MaterializeDatalessFiles MultipleInstances "
          + "OnDemand RunAtLoad ServiceIPC SessionCreate StartOnMount WaitForDebugger"
      ),
      (.integer, "ExitTimeOut Nice StartInterval ThrottleInterval TimeOut"),
      (.array, "LimitLoadFromHosts LimitLoadToHosts ProgramArguments QueueDirectories WatchPaths"),
      (
        .dictionary,
        "EnvironmentVariables HardResourceLimits JetsamProperties LaunchEvents "
          + "LimitLoadFromHardware LimitLoadToHardware MachServices Sockets SoftResourceLimits "
          + "SpawnConstraint inetdCompatibility"
      ),
    ]
    for (kind, keys) in names {
      for key in keys.split(separator: " ") { kinds[String(key)] = [kind] }
    }
    return kinds
  }()
}
