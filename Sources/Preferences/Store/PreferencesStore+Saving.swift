internal import FoundationEssentials
public import PropertyList
internal import Threading

/// Bringing values to the disk.
extension PreferencesStore {
  /// Saves what has been set and brings it to the disk: the store's own domain, and those that were
  /// replaced by name through this store.
  ///
  /// - Throws: Why that was not possible; the values stay, and saving them is tried again.
  public func flush() throws(PreferencesError) {
    var failure: PreferencesError?
    var delivery = Delivery()
    for file in [user] + otherChanges.withLock({ Array($0.values) }) {
      do {
        try file.commit(&delivery)
        otherChanges.withLock { changes in
          if !file.hasChanges { changes[ObjectIdentifier(file)] = nil }
        }
      } catch {
        failure = failure ?? PreferencesError(error)
      }
    }
    delivery.deliver()
    if let failure { throw failure }
  }

  /// Saves what any store of the process has set and brings it to the disk, for the moment in which a
  /// server is told to stop. Observers that have to hear of it are called on another thread.
  ///
  /// The library installs no handlers of signals: the host's own calls this, from a thread and not from
  /// within the handler. At the normal end of the process the same is done without a call, within
  /// ``RuntimeConfiguration/exitFlushTimeout``.
  ///
  /// - Parameter timeout: How long that may take in all.
  /// - Throws: The first error, when all that could be saved was.
  public static func flushAll(timeout: Duration = .seconds(10)) throws(PreferencesError) {
    let scheduler = CommitScheduler.shared
    var delivery = Delivery()
    let failures = scheduler.save(scheduler.unsavedFiles, within: timeout, &delivery)
    delivery.deliverElsewhere()
    if let (_, error) = failures.first { throw error }
  }

  /// Saves what has been set, and looks for what other processes have saved.
  ///
  /// - Returns: Whether all was saved.
  @discardableResult
  public func synchronize() -> Bool {
    let isSaved = (try? flush()) != nil
    var delivery = Delivery()
    for file in searchList.files { file.reload(&delivery) }
    delivery.deliver()
    return isSaved
  }

  /// Calls the closure, on some thread, whenever saving in the background fails.
  public func onSaveFailure(_ handler: @escaping @Sendable (PreferencesError) -> Void) {
    user.onFailure(handler)
  }

  /// Reads, changes and saves the store's own domain as one step, which no other process can come
  /// between.
  ///
  /// The closure gets what is on the disk with the process's own changes in it, and may be called
  /// again where a program that knows no locks has written the file meanwhile. It must not change
  /// or save the same domain by other ways. When this returns, the result is on the disk.
  ///
  /// ```swift
  /// let launches = try store.update { values in
  ///   guard case .integer(let count) = values["launches"] ?? 0 else { return Int64(0) }
  ///   values["launches"] = .integer(count + 1)
  ///   return count + 1
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - timeout: How long to wait for other processes.
  ///   - body: Changes the values.
  /// - Returns: What the closure returns.
  /// - Throws: What the closure throws, or why it could not be saved; nothing has changed then.
  public func update<Result>(
    timeout: Duration = .seconds(10), _ body: (inout PlistDictionary) throws -> Result
  ) throws -> Result {
    try update(timeout: timeout, threadTimeout: nil, body)
  }

  /// The same, but fails where another thread is at work on the domain for too long, and at once where
  /// this one is.
  ///
  /// - Parameter threadTimeout: How long to wait for other threads; nil to do so without end.
  package func update<Result>(
    timeout: Duration = .seconds(10), threadTimeout: Duration?,
    _ body: (inout PlistDictionary) throws -> Result
  ) throws -> Result {
    var result: Result?
    var changes = false
    // What the closure does to other domains is told when this one's file is no longer held.
    try Delivery.collecting {
      var delivery = Delivery()
      defer { delivery.deliver() }
      try user.commit(timeout: timeout, threadTimeout: threadTimeout, &delivery) { values in
        let old = values
        result = try body(&values)
        try values.checkStorable()
        changes = values != old
      }
    }
    if changes { ChangeHook.shared.call(self) }
    return result!
  }

  /// Puts a file of the store's own domain that cannot be read aside, so that it can be written
  /// anew.
  ///
  /// - Returns: The path under which the old file is kept, its own with `.corrupt-` and the time;
  ///   nil where there was nothing to recover from.
  @discardableResult
  public func recover() throws -> String? {
    let seconds = Int(Date().timeIntervalSince1970)
    var delivery = Delivery()
    defer { delivery.deliver() }
    return try user.recover(suffix: ".corrupt-\(seconds)", &delivery)
  }
}
