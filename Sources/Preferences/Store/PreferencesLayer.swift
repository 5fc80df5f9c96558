public import PropertyList

/// A place that is searched for keys.
public struct PreferencesLayer: Sendable, Hashable {
  /// The kind of place.
  public var kind: Kind
  /// The domain of the layer.
  public var domain: String
  /// The path of the layer's file; nil for a layer in memory.
  public var path: String?
  /// The source of a value in a layer that is set at the start of the process: the name of the
  /// environment variable, or the option of the command line with its dash.
  public var source: String?
  /// The declared options of the command line by key, until a key is chosen by
  /// ``supplying(_:variable:)``.
  var options: [String: String] = [:]

  /// Kinds of layers, in search order. For each suite, its layer for this host precedes its layer
  /// for all hosts.
  public enum Kind: String, Sendable, Hashable, CaseIterable, Comparable {
    /// Values that the administrator manages, for this user and then for all users.
    case managed
    /// Values from the command line.
    case argument
    /// Environment variables, for a store with ``PreferencesStore/Options/environment``.
    case environment
    /// The user's domain on this host.
    case userHost
    /// The user's domain, where values are saved.
    case user
    /// The user's domain of an added suite, on this host.
    case suiteHost
    /// The user's domain of an added suite.
    case suite
    /// The user's global domain, shared by all applications, on this host.
    case globalHost
    /// The user's global domain, shared by all applications.
    case global
    /// System-wide defaults of the domain for all users, then of the suites.
    case system
    /// System-wide defaults of the global domain for all users.
    case systemGlobal
    /// Registered defaults.
    case registration

    /// Compares the search order.
    public static func < (left: Kind, right: Kind) -> Bool {
      allCases.firstIndex(of: left)! < allCases.firstIndex(of: right)!
    }
  }
}

extension PreferencesLayer: CustomStringConvertible {
  /// The kind of layer, and its file, variable, option or domain: `user /home/ada/.config/app.plist`,
  /// `environment APP_PORT`, `argument -port`, `registration`.
  public var description: String {
    if kind == .registration { return kind.rawValue }
    return "\(kind.rawValue) \(path ?? source ?? domain)"
  }
}

extension PreferencesLayer {
  /// The layer with the source of the value of a key.
  func supplying(_ key: String, variable: @autoclosure () -> String?) -> PreferencesLayer {
    var layer = self
    switch kind {
    case .argument:
      layer.source = options[key] ?? "-" + key
      layer.options = [:]
    case .environment: layer.source = variable()
    default: break
    }
    return layer
  }

  /// The layer, as messages name it.
  package var place: String {
    switch kind {
    case .argument: "the command line"
    case .environment: source.map { "the environment variable \($0)" } ?? "the environment"
    case .registration: "the registered defaults"
    default: path ?? domain
    }
  }
}

/// A value and its layer.
public struct PreferencesOrigin: Sendable, Hashable {
  /// The layer.
  public var layer: PreferencesLayer
  /// The value in this layer.
  public var value: PlistValue

  /// The value as a type; nil if it has another type.
  ///
  /// As with ``PreferencesStore/value(_:forKey:)``, only the text of the command line and the
  /// environment is converted.
  public func value<Value: PlistValueReadable>(as type: Value.Type) -> Value? {
    Value.read(from: value, isText: layer.kind == .argument || layer.kind == .environment)
  }
}

extension PreferencesOrigin: CustomStringConvertible {
  /// The layer and the value on one line: `environment APP_PORT: 8080`.
  public var description: String { "\(layer): \(value.debugDescription)" }
}
