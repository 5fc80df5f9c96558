public import Preferences
internal import PropertyList
internal import Threading

/// An error that occurred while reading or storing a typed preference.
///
/// The stored value is unchanged; a read returns the default instead.
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
  /// The type of the preference, such as `Array<Int>`.
  public var type: String
  /// The kind of the stored value that cannot be read; nil if another operation failed.
  var storedKind: PlistValue.Kind?
  /// The layer of the stored value that cannot be read; nil if another operation failed.
  public var layer: PreferencesLayer?
}

extension TypedPreferenceError: CustomStringConvertible {
  /// The error in one line that begins with the domain and the key.
  public var description: String {
    switch operation {
    case .read: "\(domain), \(key): cannot be read\(source): \(reason)"
    case .store: "\(domain), \(key): cannot be stored: \(reason)"
    case .migrate: "\(domain), \(key): cannot be migrated: \(reason)"
    }
  }
}

extension TypedPreferenceError {
  /// The failure without any part of a value. The texts of decoders are left out: they may quote
  /// it.
  var summary: String {
    let place = reason.path.isRoot ? "" : " (at \(reason.path))"
    return switch (operation, reason.kind) {
    case (.read, .wrongKind), (.read, .outOfRange), (.read, .notAllowed):
      "cannot be read\(source) as \(type): \(reason)"
    case (.read, .malformed(let expected)):
      "cannot be read\(source) as \(type): the stored \(found) is not \(expected)\(place)"
    case (.read, _):
      "cannot be read\(source) as \(type): the stored \(found) cannot be decoded\(place)"
    case (.store, .coding):
      "a value of type \(type) cannot be encoded\(place)"
    case (.store, _):
      "a value of type \(type) cannot be stored: \(reason)"
    case (.migrate, _):
      "cannot be migrated to \(type)\(place)"
    }
  }

  /// Where the value is, unless it is in the domain that the error names.
  private var source: String {
    guard let layer, layer.kind != .user else { return "" }
    return " from \(layer.place)"
  }

  private var found: String { storedKind.map { "\($0)" } ?? "value" }

  private static let handlers = Lock<[@Sendable (TypedPreferenceError) -> Void]>([])

  /// Calls a closure with every future error, as long as the process runs, on the thread that reads
  /// or stores the preference.
  ///
  /// A stored value that cannot be read is reported once, not by each read. Without a handler,
  /// errors are printed on standard error; see `RuntimeConfiguration.printsFailures`.
  public static func onFailure(_ handler: @escaping @Sendable (TypedPreferenceError) -> Void) {
    handlers.withLock { $0.append(handler) }
  }

  /// Calls the closures that were passed to ``onFailure(_:)``, and posts the event.
  func report(by engine: PreferencesEngine) {
    let handlers = Self.handlers.withLock { $0 }
    for handler in handlers { handler(self) }
    engine.post(
      .valueFailure(domain: domain, key: key, reason: summary), isHandled: !handlers.isEmpty)
  }
}
