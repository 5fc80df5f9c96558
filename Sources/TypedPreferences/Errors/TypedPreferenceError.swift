/// A typed preference that could not be read or stored: for the default was given, or the old value left.
public struct TypedPreferenceError: Error, Sendable, Hashable {
  /// What was to be done.
  public enum Operation: String, Sendable, Hashable {
    /// The value that is stored was to be read. It is left as it is.
    case read
    /// A value was to be stored. The one that was stored before is left as it is.
    case store
    /// What an older version has stored was to be made what this one stores. It is left as it is.
    case migrate
  }

  /// The domain of the store.
  public var domain: String
  /// The key.
  public var key: String
  /// What was to be done.
  public var operation: Operation
  /// Why that was not possible.
  public var reason: ValueConversionError

  /// A failure of a key in a domain.
  public init(domain: String, key: String, operation: Operation, reason: ValueConversionError) {
    self.domain = domain
    self.key = key
    self.operation = operation
    self.reason = reason
  }
}

extension TypedPreferenceError: CustomStringConvertible {
  /// One line of text that begins with the domain and the key.
  public var description: String {
    switch operation {
    case .read: "\(domain), \(key): cannot be read: \(reason)"
    case .store: "\(domain), \(key): cannot be stored: \(reason)"
    case .migrate: "\(domain), \(key): cannot be migrated: \(reason)"
    }
  }
}
