/// An error that occurred while reading or storing a typed preference.
///
/// What is stored stays as it is; a read returns the default instead.
public struct TypedPreferenceError: Error, Sendable, Hashable {
  /// The operation that failed.
  public enum Operation: String, Sendable, Hashable {
    /// Reading the stored value.
    case read
    /// Storing a new value.
    case store
    /// Migrating what an older version of the program has stored.
    case migrate
  }

  /// The domain of the store.
  public var domain: String
  /// The key.
  public var key: String
  /// The operation that failed.
  public var operation: Operation
  /// The reason why it failed.
  public var reason: ValueConversionError

  /// Creates an error.
  public init(domain: String, key: String, operation: Operation, reason: ValueConversionError) {
    self.domain = domain
    self.key = key
    self.operation = operation
    self.reason = reason
  }
}

extension TypedPreferenceError: CustomStringConvertible {
  /// The error in one line that begins with the domain and the key.
  public var description: String {
    switch operation {
    case .read: "\(domain), \(key): cannot be read: \(reason)"
    case .store: "\(domain), \(key): cannot be stored: \(reason)"
    case .migrate: "\(domain), \(key): cannot be migrated: \(reason)"
    }
  }
}
