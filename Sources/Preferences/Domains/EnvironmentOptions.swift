/// The rules by which variables of the environment supply values.
///
/// ```swift
/// var options = PreferencesStore.Options()
/// options.environment = EnvironmentOptions(prefix: "APP_")
/// let store = try PreferencesStore(domain: "org.example.app", options: options)
/// store.register(defaults: ["listen.port": 8080])
/// store.integer(forKey: "listen.port")     // that of APP_LISTEN_PORT, if it is set
/// ```
///
/// The text of a variable is read as the type of the key's registered default, and as a string if
/// there is none:
///
/// - an integer or a real: a decimal number;
/// - a Boolean: `true`, `false`, `yes`, `no`, `on`, `off`, `1` or `0`, in either case;
/// - a date: as in property lists, `2024-03-01T12:00:00Z`;
/// - data: in Base64;
/// - an array or a dictionary: a property list of any format, such as `(a, b)` or `["a", "b"]`.
///
/// A text that is not of that type is ignored, and reported as a
/// ``PreferencesEvent/valueFailure(domain:key:reason:)``.
///
/// A variable is looked up when its key is first asked for, observed or registered; later changes of
/// the environment do not count. A program that runs with more rights than its user, as a
/// set-user-ID program does, has no variables.
public struct EnvironmentOptions: Sendable {
  /// The beginning of the names of all variables, such as `APP_`; nothing is added to it.
  public var prefix: String
  /// How the rest of a variable's name is made of the key.
  public var naming = Naming.upperSnakeCase
  /// The variables by name; nil for those of the process.
  public var variables: [String: String]?

  /// Rules with a prefix.
  public init(prefix: String) {
    self.prefix = prefix
  }

  /// How the name of a variable is made of a key.
  public enum Naming: Sendable {
    /// Words in capital letters, joined by underscores: `listen.port`, `listen-port` and `listenPort`
    /// are `LISTEN_PORT`, and `HTTPProxy` is `HTTP_PROXY`.
    case upperSnakeCase
    /// A rule of the program. It returns nil for a key that has no variable, and the same whenever it
    /// is called with a key. It must not use preferences.
    case custom(@Sendable (_ key: String) -> String?)
  }

  /// The name of the variable of a key; nil if it has none.
  func name(forKey key: String) -> String? {
    let name: String? =
      switch naming {
      case .upperSnakeCase: Self.upperSnakeCase(key)
      case .custom(let rule): rule(key)
      }
    guard let name else { return nil }
    let full = prefix + name
    // Other names cannot be set, or end the text.
    return full.isEmpty || full.utf8.contains { $0 == 0 || $0 == UInt8(ascii: "=") } ? nil : full
  }

  private static func upperSnakeCase(_ key: String) -> String {
    let scalars = Array(key.unicodeScalars)
    var name = String.UnicodeScalarView()
    for (index, scalar) in scalars.enumerated() {
      guard scalar.properties.isAlphabetic || scalar.properties.numericType != nil else {
        name.append("_")
        continue
      }
      if index > 0, scalar.properties.isUppercase {
        let last = scalars[index - 1].properties
        let isNextLower =
          index + 1 < scalars.count && scalars[index + 1].properties.isLowercase
        if last.isLowercase || last.numericType != nil || last.isUppercase && isNextLower {
          name.append("_")
        }
      }
      name.append(contentsOf: scalar.properties.uppercaseMapping.unicodeScalars)
    }
    return String(name)
  }
}
