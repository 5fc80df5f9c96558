public import FoundationEssentials
public import PropertyList

/// Blocking calls for tasks, made on threads of the library so that no other task waits.
///
/// A canceled task stops waiting for a thread or a lock, and `CancellationError` is thrown; a write
/// that has begun is completed. Calls of tasks with higher priority are made first. Observers of
/// the changes are called on the thread of the library.
extension PreferencesStore {
  /// Opens the preferences of a domain and reads their files.
  ///
  /// - Throws: ``PreferencesError/invalidDomainName(_:)``, ``PreferencesError/noUserFolder``, or
  ///   `CancellationError`.
  public static func open(
    domain: String, options: Options = Options()
  ) async throws -> PreferencesStore {
    try await AsyncCall.run(on: options.engine.runtime) {
      try PreferencesStore(domain: domain, options: options).loaded()
    }
  }

  /// Opens a store on one property list and reads it, as ``init(fileAt:format:engine:)`` does.
  ///
  /// - Throws: `CancellationError`.
  public static func open(
    fileAt path: String, format: PlistFormat? = nil
  ) async throws -> PreferencesStore {
    try await AsyncCall.run(on: PreferencesEngine.process.runtime) {
      PreferencesStore(fileAt: path, format: format).loaded()
    }
  }

  /// Opens a store on one property list and reads it, as ``init(fileAt:options:)`` does.
  ///
  /// - Throws: `CancellationError`.
  public static func open(fileAt path: String, options: Options) async throws -> PreferencesStore {
    try await AsyncCall.run(on: options.engine.runtime) {
      PreferencesStore(fileAt: path, options: options).loaded()
    }
  }

  private func loaded() -> PreferencesStore {
    for file in searchList.files { file.load() }
    return self
  }

  /// Saves everything that has been set, as the blocking ``flush()-8fwik`` does.
  ///
  /// - Throws: The same errors, or `CancellationError`; the values stay in memory, and saving is
  ///   retried.
  public func flush() async throws {
    let limit = TimeLimit()
    try await AsyncCall.run(on: engine.runtime, for: user, within: limit) {
      try self.flush(within: limit)
    }
  }

  /// Saves the changes of all stores of the process, as the blocking function does.
  ///
  /// - Parameter timeout: For all domains together; nil for 10 seconds plus 10 milliseconds per
  ///   domain.
  /// - Throws: The same errors, or `CancellationError`.
  public static func flushAll(timeout: Duration? = nil) async throws {
    try await currentEngine.flushAll(timeout: timeout)
  }

  /// Saves everything that has been set and reads what other processes have saved, as the blocking
  /// ``synchronize()`` does, whose signature is Foundation's.
  ///
  /// - Parameter timeout: The longest wait for other tasks and threads that work with the file.
  /// - Returns: Whether everything was saved; false if the task is canceled.
  @discardableResult
  public func synchronize(within timeout: Duration) async -> Bool {
    let limit = TimeLimit(timeout)
    let isSaved = try? await AsyncCall.run(on: engine.runtime, for: user, within: limit) {
      self.synchronize(within: limit)
    }
    return isSaved ?? false
  }

  /// Reads, changes and saves the store's own domain atomically, as the blocking function does.
  ///
  /// ```swift
  /// let visits = try await store.update { values in
  ///   guard case .integer(let count) = values["visits"] ?? 0 else { return Int64(0) }
  ///   values["visits"] = .integer(count + 1)
  ///   return count + 1
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - timeout: The longest wait for other tasks, threads and processes together.
  ///   - body: Called on a thread of the library, and again if a program that does not take the
  ///     lock writes the file at the same time.
  /// - Throws: The error of the closure, a ``PreferencesError``, or `CancellationError`; nothing
  ///   has changed then.
  public func update<Result: Sendable>(
    timeout: Duration = .seconds(10),
    _ body: @escaping @Sendable (inout PlistDictionary) throws -> Result
  ) async throws -> Result {
    let limit = TimeLimit(timeout)
    let override = Self.standardOverride
    return try await AsyncCall.run(on: engine.runtime, for: user, within: limit) {
      // The thread does not inherit task-local values.
      try Self.withOverride(override) { try self.update(within: limit, body) }
    }
  }

  /// Moves an unreadable file of the store's own domain aside, as the blocking function does.
  ///
  /// - Throws: The same errors, or `CancellationError`.
  @discardableResult
  public func recover() async throws -> String? {
    let limit = TimeLimit()
    return try await AsyncCall.run(on: engine.runtime, for: user, within: limit) {
      try self.recover(within: limit)
    }
  }

  /// Exports the store's own domain to a property list, as the blocking function does.
  ///
  /// - Throws: The same errors, or `CancellationError`; an existing file is unchanged then.
  public func export(to path: String, as format: PlistFormat = .xml) async throws {
    try await AsyncCall.run(on: engine.runtime) { try self.export(to: path, as: format) }
  }

  /// Exports the store's own domain to a property list.
  ///
  /// - Throws: The same errors as the function that takes a path.
  public func export(to url: URL, as format: PlistFormat = .xml) async throws {
    try await AsyncCall.run(on: engine.runtime) { try self.export(to: url, as: format) }
  }

  /// Imports a property list of any format into the store's own domain and saves it, as the
  /// blocking function does.
  ///
  /// - Throws: The same errors, or `CancellationError`; nothing has changed then.
  public func `import`(from path: String, replacesAll: Bool = false) async throws {
    let limit = TimeLimit()
    try await AsyncCall.run(on: engine.runtime, for: user, within: limit) {
      try self.import(from: path, replacesAll: replacesAll, within: limit)
    }
  }

  /// Imports a property list into the store's own domain and saves it.
  ///
  /// - Throws: The errors of the function that takes a path.
  public func `import`(from url: URL, replacesAll: Bool = false) async throws {
    try await `import`(from: Self.path(of: url), replacesAll: replacesAll)
  }
}
