public import PropertyList

/// The effective values of a group of keys at one moment.
public struct PreferencesGroup: ReadablePreferences, Sendable, Hashable {
  /// The keys of the group.
  public let keys: [String]
  /// The values in the order of the keys; nil if no layer has a value.
  private(set) var values: [PlistValue?]

  /// The value of a key of the group, if any layer has one; nil for any other key.
  public func plistValue(forKey key: String) -> PlistValue? {
    keys.firstIndex { $0.hasSameBytes(as: key) }.flatMap { values[$0] }
  }

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
  /// The values of all keys before the change.
  public var oldValues: PreferencesGroup
  /// The values of all keys after the change.
  public var newValues: PreferencesGroup

  /// The keys whose values differ, in the order of the group.
  public var changedKeys: [String] {
    newValues.keys.filter { oldValues.plistValue(forKey: $0) != newValues.plistValue(forKey: $0) }
  }
}

/// A sequence of changes of a group of keys.
///
/// The sequence ends when the task that iterates it is canceled. It buffers changes from its
/// creation until it and its iterators are released, and can be iterated once.
public struct PreferencesGroupChanges: AsyncSequence, Sendable {
  /// A change.
  public typealias Element = PreferencesGroupChange
  /// The sequence never fails.
  public typealias Failure = Never

  let stream: AsyncStream<PreferencesGroupChange>

  /// Creates an iterator.
  public func makeAsyncIterator() -> AsyncStream<PreferencesGroupChange>.Iterator {
    stream.makeAsyncIterator()
  }
}
