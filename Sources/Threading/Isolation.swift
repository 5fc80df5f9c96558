internal import Dispatch

/// The actor on which a closure has to be called, or none.
package struct Isolation: Sendable {
  private let actor: (any Actor)?

  /// Creates the isolation to an actor.
  ///
  /// - Parameter actor: The `isolation` of a closure; nil if it can be called anywhere.
  package init(_ actor: (any Actor)?) {
    self.actor = actor
  }

  /// The isolation of closures that can be called anywhere.
  package static let none = Isolation(nil)

  /// This isolation, or another one if this is none.
  package func or(_ other: Isolation) -> Isolation { actor == nil ? other : self }

  /// Whether the closure can be called right here. On an actor other than the main actor this
  /// cannot be told, so it is false there.
  package var isCurrent: Bool {
    guard let actor else { return true }
    return actor === MainActor.shared && MainQueue.isCurrent
  }

  /// Calls a closure on the actor: right here if possible, later otherwise.
  package func run(_ body: @escaping @Sendable () -> Void) {
    if isCurrent { body() } else { enqueue(body) }
  }

  /// Calls a closure on the actor, later. Closures may be called in another order than this is
  /// called for them.
  package func enqueue(_ body: @escaping @Sendable () -> Void) {
    Task { await Self.call(body, on: actor) }
  }

  private static func call(_ body: @Sendable () -> Void, on actor: isolated (any Actor)?) {
    body()
  }

  // MARK: Closures

  /// Returns a closure without its isolation, to which the caller then has to keep.
  package static func erase<Result>(
    _ closure: @escaping @isolated(any) @Sendable () -> Result
  ) -> @Sendable () -> Result {
    // The isolation is part of the type, and of how the compiler lets a closure be called, but not
    // of the calling convention.
    unsafeBitCast(closure, to: (@Sendable () -> Result).self)
  }

  /// Returns a closure without its isolation, to which the caller then has to keep.
  package static func erase<Input, Result>(
    _ closure: @escaping @isolated(any) @Sendable (Input) -> Result
  ) -> @Sendable (Input) -> Result {
    unsafeBitCast(closure, to: (@Sendable (Input) -> Result).self)
  }

  /// Returns a closure without its isolation, to which the caller then has to keep.
  package static func erase<A, B, Result>(
    _ closure: @escaping @isolated(any) @Sendable (A, B) -> Result
  ) -> @Sendable (A, B) -> Result {
    unsafeBitCast(closure, to: (@Sendable (A, B) -> Result).self)
  }

  /// Returns a closure without its isolation, to which the caller then has to keep.
  package static func erase<A, B, C, Result>(
    _ closure: @escaping @isolated(any) @Sendable (A, B, C) -> Result
  ) -> @Sendable (A, B, C) -> Result {
    unsafeBitCast(closure, to: (@Sendable (A, B, C) -> Result).self)
  }

  /// Returns a closure without its isolation, to which the caller then has to keep.
  package static func erase<A, B, C, D, Result>(
    _ closure: @escaping @isolated(any) @Sendable (A, B, C, D) -> Result
  ) -> @Sendable (A, B, C, D) -> Result {
    unsafeBitCast(closure, to: (@Sendable (A, B, C, D) -> Result).self)
  }
}

extension Isolation: Equatable {
  package static func == (left: Isolation, right: Isolation) -> Bool { left.actor === right.actor }
}

/// The main queue, which is that of the main actor.
private enum MainQueue {
  private static let key: DispatchSpecificKey<Void> = {
    let key = DispatchSpecificKey<Void>()
    DispatchQueue.main.setSpecific(key: key, value: ())
    return key
  }()

  /// Whether the calling code runs on the main queue, or on the main thread, outside of queues.
  static var isCurrent: Bool {
    ForkGate.shared.delayingForks { DispatchQueue.getSpecific(key: key) != nil }
  }
}
