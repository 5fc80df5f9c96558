internal import Synchronization

/// Another store in the place of the application's, for tests.
extension PreferencesStore {
  @TaskLocal private static var taskStandIn: PreferencesStore?
  /// Whether there has ever been a store in the place of the application's: cheaper to read.
  private static let standInsExist = Atomic(false)

  /// Whether there has ever been one.
  @inline(__always)
  static var hasStandIns: Bool { standInsExist.load(ordering: .relaxed) }

  /// The store that stands in for the application's here; nil if none does.
  @inline(__always)
  static var standIn: PreferencesStore? {
    hasStandIns ? taskStandIn : nil
  }

  /// Makes another store ``standard`` while a closure runs, for the thread or task that calls this
  /// and for the tasks that it creates, so that tests that run in parallel do not meet.
  ///
  /// Typed preferences that use ``standard`` use the other store, too, wherever they were created.
  /// A thread or a block of a queue that the closure starts does not inherit it, nor does a task that
  /// is detached.
  ///
  /// ```swift
  /// PreferencesStore.withStandard(.inMemory()) {
  ///   PreferencesStore.standard.set("dark", forKey: "theme")
  ///   #expect(Renderer().isDark)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - operation: The closure.
  /// - Returns: The result of the closure.
  /// - Throws: The error of the closure.
  public static func withStandard<Result>(
    _ store: PreferencesStore, operation: () throws -> Result
  ) rethrows -> Result {
    standInsExist.store(true, ordering: .relaxed)
    return try $taskStandIn.withValue(store, operation: operation)
  }

  /// Calls a closure with the store that stands in for the application's where the call comes from;
  /// nil if none does.
  static func withStandIn<Result>(
    _ store: PreferencesStore?, operation: () throws -> Result
  ) rethrows -> Result {
    if let store { try withStandard(store, operation: operation) } else { try operation() }
  }

  /// Makes another store ``standard`` while an asynchronous closure runs, as
  /// ``withStandard(_:operation:)`` does.
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - isolation: The actor on which the closure runs, that of the caller.
  ///   - operation: The closure.
  /// - Returns: The result of the closure.
  /// - Throws: The error of the closure.
  public static func withStandard<Result>(
    _ store: PreferencesStore, isolation: isolated (any Actor)? = #isolation,
    operation: () async throws -> Result
  ) async rethrows -> Result {
    standInsExist.store(true, ordering: .relaxed)
    return try await $taskStandIn.withValue(store, operation: operation, isolation: isolation)
  }
}
