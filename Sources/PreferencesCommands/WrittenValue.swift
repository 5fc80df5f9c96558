internal import CommandLineInterface
internal import PropertyList

/// The change of a key's value by `write`.
enum WrittenValue {
  /// Replaces the value.
  case set(PlistValue)
  /// Appends elements to an array.
  case append([PlistValue])
  /// Adds entries to a dictionary.
  case merge(PlistDictionary)

  /// Changes the value of a key.
  func apply(to values: inout PlistDictionary, key: String) throws(CommandFailure) {
    switch self {
    case .set(let value):
      values[key] = value
    case .append(let elements):
      switch values[key] {
      case nil: values[key] = .array(elements)
      case .array(let old)?: values[key] = .array(old + elements)
      default: throw Self.failure(key, "an array")
      }
    case .merge(let entries):
      switch values[key] {
      case nil: values[key] = .dictionary(entries)
      case .dictionary(var dictionary)?:
        for (key, value) in entries { dictionary[key] = value }
        values[key] = .dictionary(dictionary)
      default: throw Self.failure(key, "a dictionary")
      }
    }
  }

  private static func failure(_ key: String, _ expected: String) -> CommandFailure {
    CommandFailure(
      "Value for key \(key) is not \(expected); cannot append.  Leaving defaults unchanged.")
  }
}
