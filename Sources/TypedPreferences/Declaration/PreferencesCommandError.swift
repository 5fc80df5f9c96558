internal import PropertyList

/// Why a program's `config` command, or its command line, was refused.
public enum PreferencesCommandError: Error, Sendable, Hashable {
  /// The manifest has no such key. The name of the nearest one, if there is one.
  case unknownKey(String, nearest: String?)
  /// The text does not stand for a value that the key may have.
  case refusedValue(key: String, expected: String)
  /// The value of an option, such as `--tab-width`, is not one that the key may have.
  case refusedOption(String, expected: String)
  /// An option, such as `--tab-width`, has no value.
  case missingValue(String, expected: String)
  /// The key has neither a value nor a default.
  case noValue(key: String)
  /// The value of the key is secret and not printed.
  case secret(key: String)
  /// The administrator manages the key, in this file.
  case managed(key: String, path: String)
  /// The store cannot be changed or saved, for this reason.
  case store(String)
  /// The command line is wrong, for this reason.
  case usage(String)
}

extension PreferencesCommandError: CustomStringConvertible {
  /// One line without values.
  public var description: String {
    switch self {
    case .unknownKey(let name, let nearest):
      "unknown key \(name.onOneLine)" + (nearest.map { "; did you mean \($0)?" } ?? "")
    case .refusedValue(let name, let expected), .refusedOption(let name, let expected):
      "\(name): expected \(expected)"
    case .missingValue(let option, let expected): "\(option) needs a value: \(expected)"
    case .noValue(let key): "\(key) has no value"
    case .secret(let key): "\(key): the value is secret and is not printed"
    case .managed(let key, let path):
      "\(key): managed by the administrator in \(path); nothing was changed"
    case .store(let reason), .usage(let reason): reason
    }
  }

  /// The exit status that programs have for the error: 2 for a wrong command line, otherwise 1.
  public var status: Int32 {
    switch self {
    case .usage, .refusedOption, .missingValue: 2
    default: 1
    }
  }
}
