internal import Synchronization
internal import TypedPreferences

/// The coder of the type that a program's own bridge stores.
///
/// It is made when it is first needed, since that type may contain the one that has the bridge.
final class StoredCoder<Stored>: Sendable {
  private final class Made: Sendable {
    let coder: PlistCoder<Stored>

    init(_ coder: PlistCoder<Stored>) {
      self.coder = coder
    }
  }

  private let made = AtomicLazyReference<Made>()
  private let type: Any.Type

  /// - Parameter type: The type that has the bridge.
  init(byBridgeOf type: Any.Type) {
    self.type = type
  }

  var coder: PlistCoder<Stored> {
    (made.load() ?? made.storeIfNil(Made(.stored(byBridgeOf: type)))).coder
  }
}
