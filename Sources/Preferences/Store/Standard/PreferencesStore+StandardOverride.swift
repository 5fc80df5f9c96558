internal import Synchronization

/// A replacement for the application's store, for tests.
extension PreferencesStore {
  @TaskLocal private static var taskOverride: PreferencesStore?
  /// Whether ``withStandard(_:operation:)`` was ever called. This is cheaper to read than the
  /// task-local value.
  private static let overridesExist = Atomic(false)

  @inline(__always)
  static var hasOverrides: Bool { overridesExist.load(ordering: .relaxed) }

  /// The current replacement of the application's store.
  @inline(__always)
  static var standardOverride: PreferencesStore? { hasOverrides ? taskOverride : nil }

  /// The engine of the store that replaces the standard store, or else the engine of the process.
  static var currentEngine: PreferencesEngine { standardOverride?.engine ?? .process }

  /// Makes another store ``standard`` while a closure runs, for the calling thread or task and the
  /// tasks that it creates, so that parallel tests do not interfere.
  ///
  /// Typed preferences that use ``standard`` also use the other store, wherever they were created.
  /// Threads, blocks of queues and detached tasks that the closure starts do not inherit it.
  ///
  /// ```swift
  /// PreferencesStore.withStandard(.inMemory()) {
  ///   PreferencesStore.standard.set("dark", forKey: "theme")
  ///   #expect(Renderer().isDark)
  /// }
  /// ```
  ///
  /// - Throws: The error of the closure.
  public static func withStandard<Result>(
    _ store: PreferencesStore, operation: () throws -> Result
  ) rethrows -> Result {
    overridesExist.store(true, ordering: .relaxed)
    return try $taskOverride.withValue(store, operation: operation)
  }

  /// Calls a closure with another task's replacement, if any.
  static func withOverride<Result>(
    _ store: PreferencesStore?, operation: () throws -> Result
  ) rethrows -> Result {
    if let store { try withStandard(store, operation: operation) } else { try operation() }
  }

  /// Makes another store ``standard`` while an asynchronous closure runs on the caller's actor, as
  /// ``withStandard(_:operation:)`` does.
  ///
  /// - Throws: The error of the closure.
  public static func withStandard<Result>(
    _ store: PreferencesStore, isolation: isolated (any Actor)? = #isolation,
    operation: () async throws -> Result
  ) async rethrows -> Result {
    overridesExist.store(true, ordering: .relaxed)
    return try await $taskOverride.withValue(store, operation: operation, isolation: isolation)
  }
}
