public import FoundationEssentials
public import PropertyList

/// The calls that block a thread, for tasks: they are made on threads of the library, so that no
/// other task of the process waits.
///
/// A task that is canceled stops waiting for a thread or a lock, and `CancellationError` is thrown;
/// what has begun to be written is completed. Calls of tasks of higher priority are made first.
/// Observers of what a call changes are called on the thread of the library.
extension PreferencesStore {
  /// Opens the preferences of a domain and reads their files.
  ///
  /// - Throws: ``PreferencesError/invalidDomainName(_:)``, ``PreferencesError/noUserFolder``, or
  ///   `CancellationError`.
  public static func open(
    domain: String, options: Options = Options()
  ) async throws -> PreferencesStore {
    try await AsyncCall.run(on: options.engine) {
      let store = try PreferencesStore(domain: domain, options: options)
      store.load()
      return store
    }
  }

  /// Opens a store on one property list and reads it, as ``init(fileAt:format:)`` does.
  ///
  /// - Throws: `CancellationError`.
  public static func open(
    fileAt path: String, format: PlistFormat? = nil
  ) async throws -> PreferencesStore {
    try await AsyncCall.run(on: .process) {
      let store = PreferencesStore(fileAt: path, format: format)
      store.load()
      return store
    }
  }

  /// Opens a store on one property list and reads it, as ``init(fileAt:options:)`` does.
  ///
  /// - Throws: `CancellationError`.
  public static func open(fileAt path: String, options: Options) async throws -> PreferencesStore {
    try await AsyncCall.run(on: options.engine) {
      let store = PreferencesStore(fileAt: path, options: options)
      store.load()
      return store
    }
  }

  /// Reads the files of all layers.
  private func load() { for file in searchList.files { file.load() } }

  /// Saves everything that has been set, as the blocking ``flush()-8fwik`` does.
  ///
  /// - Throws: A ``PreferencesError`` that says why something could not be saved, or
  ///   `CancellationError`; the values stay in memory, and saving them is tried again.
  public func flush() async throws {
    let limit = TimeLimit(.seconds(10))
    try await AsyncCall.run(on: engine, for: user, within: limit) { try self.flush(within: limit) }
  }

  /// Saves everything that any store of the process has set, as the blocking one does.
  ///
  /// - Parameter timeout: The longest time for all domains together; nil for 10 seconds and 10
  ///   milliseconds for each domain.
  /// - Throws: A ``PreferencesError`` that says why something was not saved, or `CancellationError`.
  public static func flushAll(timeout: Duration? = nil) async throws {
    try await PreferencesEngine.current.flushAll(timeout: timeout)
  }

  /// Saves everything that has been set, and reads what other processes have saved.
  ///
  /// - Returns: Whether everything was saved; false if the task is canceled.
  @discardableResult
  public func synchronize() async -> Bool {
    (try? await AsyncCall.run(on: engine, for: user) { self.synchronize() }) ?? false
  }

  /// Reads, changes and saves the store's own domain atomically, as the blocking one does.
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
  ///   - timeout: The longest time to wait for other tasks, threads and processes together.
  ///   - body: Changes the values, on a thread of the library. It may be called again when a program
  ///     that does not take the lock has written the file meanwhile.
  /// - Returns: The result of the closure.
  /// - Throws: The error of the closure, a ``PreferencesError``, or `CancellationError`; nothing has
  ///   changed then.
  public func update<Result: Sendable>(
    timeout: Duration = .seconds(10),
    _ body: @escaping @Sendable (inout PlistDictionary) throws -> Result
  ) async throws -> Result {
    let limit = TimeLimit(timeout)
    let standIn = Self.standIn
    return try await AsyncCall.run(on: engine, for: user, within: limit) {
      // The thread does not inherit what is local to the task.
      try Self.withStandIn(standIn) { try self.update(within: limit, body) }
    }
  }

  /// Moves a file of the store's own domain that cannot be read aside, as the blocking one does.
  ///
  /// - Returns: The new path of the old file; nil if the file can be read or there is none.
  /// - Throws: A ``PreferencesError`` that says why the file cannot be moved, or `CancellationError`.
  @discardableResult
  public func recover() async throws -> String? {
    try await AsyncCall.run(on: engine, for: user) { try self.recover() }
  }

  /// Writes the values of the store's own domain to a property list, as the blocking one does.
  ///
  /// - Throws: A ``PreferencesError`` that says why the domain cannot be read or the file not be
  ///   written, or `CancellationError`; an existing file is unchanged then.
  public func export(to path: String, as format: PlistFormat = .xml) async throws {
    try await AsyncCall.run(on: engine) { try self.export(to: path, as: format) }
  }

  /// Writes the values of the store's own domain to a property list, as the blocking one does.
  ///
  /// - Throws: What the function that takes a path throws.
  public func export(to url: URL, as format: PlistFormat = .xml) async throws {
    try await AsyncCall.run(on: engine) { try self.export(to: url, as: format) }
  }

  /// Reads a property list of any format into the store's own domain and saves it, as the blocking
  /// one does.
  ///
  /// - Throws: A ``PreferencesError`` that says why the file cannot be read or the domain not be
  ///   saved, or `CancellationError`; nothing has changed then.
  public func `import`(from path: String, replacesAll: Bool = false) async throws {
    try await AsyncCall.run(on: engine, for: user) {
      try self.import(from: path, replacesAll: replacesAll)
    }
  }

  /// Reads a property list into the store's own domain and saves it, as the blocking one does.
  ///
  /// - Throws: What the function that takes a path throws.
  public func `import`(from url: URL, replacesAll: Bool = false) async throws {
    try await AsyncCall.run(on: engine, for: user) {
      try self.import(from: url, replacesAll: replacesAll)
    }
  }
}
