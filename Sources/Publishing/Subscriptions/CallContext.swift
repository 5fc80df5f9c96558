internal import Threading

/// Where calls are made.
enum CallContext: Sendable {
  /// On an actor. Without one, or on it, they are made on the thread that asks for them.
  case isolation(Isolation)
  /// Where a function that receives the calls makes them, now or later.
  case function(@Sendable (_ calls: @escaping @Sendable () -> Void) -> Void)

  /// Makes calls, now or later.
  func run(_ calls: @escaping @Sendable () -> Void) {
    switch self {
    case .isolation(let isolation): isolation.run(calls)
    case .function(let function): function(calls)
    }
  }
}
