package import PropertyList

/// How environment variables supply values.
///
/// ```swift
/// var options = PreferencesStore.Options()
/// options.environment = EnvironmentOptions(prefix: "APP_")
/// let store = try PreferencesStore(domain: "org.example.app", options: options)
/// store.register(defaults: ["listen.port": 8080])
/// store.integer(forKey: "listen.port")     // from APP_LISTEN_PORT, if it is set
/// ```
///
/// The text of a variable is read as the type of the key's registered default, or as a string
/// without one:
///
/// - an integer or a real: a decimal number;
/// - a Boolean: `true`, `false`, `yes`, `no`, `on`, `off`, `1` or `0`, in either case;
/// - a date: as in property lists, `2024-03-01T12:00:00Z`;
/// - data: in Base64;
/// - an array or a dictionary: a property list of any format, such as `(a, b)` or `["a", "b"]`.
///
/// A text of another type is reported as a ``PreferencesEvent/valueFailure(domain:key:reason:)`` and
/// ignored by getters that do not throw. ``PreferencesStore/value(_:forKey:)`` and
/// ``PreferencesStore/validate()`` throw instead.
///
/// A variable is looked up when its key is first read, observed or registered; later changes of the
/// environment have no effect. A program that runs with more privileges than its user, such as a
/// set-user-ID program, reads no variables.
public struct EnvironmentOptions: Sendable {
  /// The prefix of all variable names, such as `APP_`, with its underscore.
  public var prefix: String
  /// How the rest of a variable's name is derived from the key.
  public var naming = Naming.upperSnakeCase
  /// The variables by name; nil for the process's environment.
  public var variables: [String: String]?
  /// Reads the text of a variable as the program's declaration of the key says; returns nil for an
  /// undeclared key.
  package var readDeclared: (@Sendable (_ key: String, _ text: String) -> DeclaredReading?)?

  /// Creates rules for variables with a prefix.
  public init(prefix: String) { self.prefix = prefix }

  /// How a variable's name is derived from a key.
  public enum Naming: Sendable {
    /// Words in capital letters, joined by underscores: `listen.port`, `listen-port` and
    /// `listenPort` become `LISTEN_PORT`, and `HTTPProxy` becomes `HTTP_PROXY`.
    case upperSnakeCase
    /// The program's own rule. It must return the same result for the same key, nil for a key
    /// without a variable, and must not use preferences.
    case custom(@Sendable (_ key: String) -> String?)
  }

  /// The meaning of a variable's text.
  package enum DeclaredReading: Sendable {
    /// A value.
    case value(PlistValue)
    /// No value, and what was expected, such as `1 to 16 columns`.
    case expected(String)
  }
}
