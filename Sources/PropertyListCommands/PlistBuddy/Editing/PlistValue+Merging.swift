internal import PropertyList

extension PlistValue {
  /// Adds the contents of another value: to a dictionary the keys of another that it lacks, to an
  /// array the elements of another, or a single value. Other values stay as they are.
  ///
  /// - Parameter isRecursive: Whether containers of the same kind that both dictionaries have at a
  ///   key are merged as well.
  /// - Returns: The keys that were skipped because both dictionaries have them.
  mutating func merge(_ other: PlistValue, recursively isRecursive: Bool) -> [String] {
    var skippedKeys: [String] = []
    switch (self, other) {
    case (.dictionary(var dictionary), .dictionary(let entries)):
      for (key, value) in entries {
        guard var present = dictionary[key] else {
          dictionary[key] = value
          continue
        }
        switch (present, value) {
        case (.dictionary, .dictionary) where isRecursive, (.array, .array) where isRecursive:
          skippedKeys += present.merge(value, recursively: true)
          dictionary[key] = present
        default:
          skippedKeys.append(key)
        }
      }
      self = .dictionary(dictionary)
    case (.array(let elements), .array(let more)):
      self = .array(elements + more)
    case (.array(let elements), let value):
      self = .array(elements + [value])
    default:
      break
    }
    return skippedKeys
  }
}
