public import PropertyList

/// The values that a group of keys has at one moment, over all layers.
public struct PreferencesGroup: ReadablePreferences, Sendable, Hashable {
  /// The keys of the group.
  public let keys: [String]
  /// The value of each key; nil if no layer has one.
  private(set) var values: [PlistValue?]

  init(keys: [String], values: [PlistValue?]) {
    self.keys = keys
    self.values = values
  }

  /// The value of a key of the group; nil if no layer has one, and for any other key.
  public func plistValue(forKey key: String) -> PlistValue? {
    keys.firstIndex { $0.hasSameBytes(as: key) }.flatMap { values[$0] }
  }

  /// Returns the values with those of some keys replaced.
  func replacing(_ others: [ObservedValue]) -> PreferencesGroup {
    var result = self
    for (key, value) in others {
      if let position = keys.firstIndex(where: { $0.hasSameBytes(as: key) }) {
        result.values[position] = value
      }
    }
    return result
  }
}

/// A change of one or more keys of a group at one moment.
public struct PreferencesGroupChange: Sendable, Hashable {
  /// The values of all keys of the group before the change.
  public var oldValues: PreferencesGroup
  /// The values of all keys of the group after the change.
  public var newValues: PreferencesGroup

  /// The keys whose values differ, in the order of the group.
  public var changedKeys: [String] {
    newValues.keys.filter { oldValues.plistValue(forKey: $0) != newValues.plistValue(forKey: $0) }
  }
}
