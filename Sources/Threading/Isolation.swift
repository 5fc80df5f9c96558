internal import Dispatch

/// The actor that must call a closure, or none.
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

  /// This isolation or, if it is ``none``, another one.
  package func or(_ other: Isolation) -> Isolation { actor == nil ? other : self }

  /// Whether the closure can be called right here. On an actor other than the main actor this
  /// cannot be determined, so it is false there.
  package var isCurrent: Bool {
    guard let actor else { return true }
    return actor === MainActor.shared && MainQueue.isCurrent
  }

  /// Calls a closure on the actor: right here if possible, later otherwise.
  package func run(_ body: @escaping @Sendable () -> Void) {
    if isCurrent { body() } else { enqueue(body) }
  }

  /// Calls a closure on the actor, later. Closures may be called in a different order from the
  /// calls of this function.
  package func enqueue(_ body: @escaping @Sendable () -> Void) {
    Task { await Self.call(body, on: actor) }
  }

  private static func call(_ body: @Sendable () -> Void, on actor: isolated (any Actor)?) {
    body()
  }

  /// Returns a closure without its isolation. The caller must make sure that calls are isolated.
  package static func erase<each Input, Result>(
    _ closure: @escaping @isolated(any) @Sendable (repeat each Input) -> Result
  ) -> @Sendable (repeat each Input) -> Result {
    // Even on its actor, Swift lets such a closure be called only with `await`, and does not cast
    // it to any other type. The isolation is part of the type but not of the calling convention.
    // The structs are needed because function types with parameter packs cannot be generic
    // arguments.
    unsafeBitCast(
      IsolatedClosure(body: closure), to: PlainClosure<Result, repeat each Input>.self
    ).body
  }

  private struct IsolatedClosure<Result, each Input> {
    var body: @isolated(any) @Sendable (repeat each Input) -> Result
  }

  private struct PlainClosure<Result, each Input> {
    var body: @Sendable (repeat each Input) -> Result
  }
}

extension Isolation: Equatable {
  package static func == (left: Isolation, right: Isolation) -> Bool { left.actor === right.actor }
}

/// The main queue, which the main actor uses.
private enum MainQueue {
  private static let key: DispatchSpecificKey<Void> = {
    let key = DispatchSpecificKey<Void>()
    DispatchQueue.main.setSpecific(key: key, value: ())
    return key
  }()

  /// Whether the calling code runs on the main queue, or on the main thread outside queues.
  static var isCurrent: Bool {
    ForkGate.shared.delayingForks { DispatchQueue.getSpecific(key: key) != nil }
  }
}
