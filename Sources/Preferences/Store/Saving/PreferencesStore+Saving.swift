public import PropertyList
internal import Threading

extension PreferencesStore {
  /// Saves the changes of the store's own domain, and of domains that were replaced by name through
  /// this store, and waits until they are on disk.
  ///
  /// - Throws: The reason if something was not saved; the values stay in memory, and saving is
  ///   retried. Or the reason if a change was refused since the last flush; everything else is then
  ///   saved.
  public func flush() throws(PreferencesError) {
    try flush(within: TimeLimit(from: engine.runtime.disk.now))
  }

  func flush(within limit: TimeLimit) throws(PreferencesError) {
    if lacksFolder { throw .noUserFolder }
    var (files, failure) = attachments.withLock { attachments in
      (Array(attachments.changedFiles.values), exchange(&attachments.refusal, with: nil))
    }
    files.append(user)
    var delivery = Delivery()
    for file in files {
      do throws(PreferencesError) {
        try file.commit(within: limit, &delivery)
        attachments.withLock { attachments in
          if !file.hasChanges { attachments.changedFiles[ObjectIdentifier(file)] = nil }
        }
      } catch {
        failure = failure ?? error
      }
    }
    engine.runtime.startTimerIfNeeded()
    delivery.deliver()
    if let failure { throw failure }
  }

  /// Saves the changes of all stores of the process, several files at once, and blocks the thread
  /// until they are on disk. A server calls this when it stops. Observers are called on another
  /// thread.
  ///
  /// The library installs no signal handlers: call this from a thread, not from a signal handler.
  /// The normal end of the process does the same within ``RuntimeConfiguration/exitFlushTimeout``.
  ///
  /// - Parameter timeout: For all domains together; nil for 10 seconds plus 10 milliseconds per
  ///   domain.
  /// - Throws: The error of a domain that was not saved, after all others were;
  ///   ``PreferencesError/unsaved(count:of:_:)`` for several.
  public static func flushAll(timeout: Duration? = nil) throws(PreferencesError) {
    try currentEngine.flushAll(timeout: timeout)
  }

  /// Saves everything that has been set and reads what other processes have saved.
  ///
  /// - Returns: Whether everything was saved.
  @discardableResult
  public func synchronize() -> Bool {
    synchronize(within: TimeLimit(from: engine.runtime.disk.now))
  }

  func synchronize(within limit: TimeLimit) -> Bool {
    let isSaved = (try? flush(within: limit)) != nil
    var delivery = Delivery()
    for file in searchList.files { file.reload(within: limit, &delivery) }
    delivery.deliver()
    return isSaved
  }

  /// Handles failures to save the store's own domain in the background, which are then not printed.
  /// ``onEvent(_:)`` reports the failures of all domains.
  ///
  /// - Parameter handler: Called on a thread of the library, or at the end of the process on the
  ///   thread that ends it, until the result is canceled or released.
  public func onSaveFailure(
    _ handler: @escaping @Sendable (PreferencesError) -> Void
  ) -> PreferencesObservation {
    let path = user.path
    return engine.runtime.events.add { event in
      switch event {
      case .saveFailure(.unsaved): false
      case .saveFailure(let error): error.path == path
      default: false
      }
    } _: { event in
      if let error = event.error { handler(error) }
    }
  }

  /// Reads, changes and saves the store's own domain atomically: no other process can change it
  /// during the call. When this returns, the result is on disk.
  ///
  /// The closure receives the values on disk with this process's own changes applied. It is called
  /// again if a program that does not take the lock writes the file at the same time. It must not
  /// otherwise change or save the same domain.
  ///
  /// The timeout is the longest wait for other processes and threads together. An update within
  /// another update of the same domain, on the same thread, fails at once.
  ///
  /// ```swift
  /// let launches = try store.update { values in
  ///   guard case .integer(let count) = values["launches"] ?? 0 else { return Int64(0) }
  ///   values["launches"] = .integer(count + 1)
  ///   return count + 1
  /// }
  /// ```
  ///
  /// The result must pass the checks of the store, if it has any
  /// (``PreferencesStore/Options/check``, ``PreferencesStore/Options/valueCheck``).
  ///
  /// - Throws: The error of the closure, or a ``PreferencesError``; nothing has changed then.
  public func update<Success>(
    timeout: Duration = .seconds(10), _ body: (inout PlistDictionary) throws -> Success
  ) throws -> Success {
    try update(within: TimeLimit(timeout, from: engine.runtime.disk.now), body)
  }

  func update<Success>(
    within limit: TimeLimit, _ body: (inout PlistDictionary) throws -> Success
  ) throws -> Success {
    try commit(within: limit) { values in Result { try body(&values) } }.get()
  }

  /// Reads, changes and saves the store's own domain atomically, with a closure that does not
  /// throw; see ``update(timeout:_:)-45voj``.
  ///
  /// - Throws: The reason if the domain was not saved; nothing has then changed.
  public func update<Success>(
    timeout: Duration = .seconds(10), _ body: (inout PlistDictionary) -> Success
  ) throws(PreferencesError) -> Success {
    try commit(within: TimeLimit(timeout, from: engine.runtime.disk.now)) { values in
      Result<Success, Never>.success(body(&values))
    }.get()
  }

  /// Commits an edit. If it fails, nothing changes.
  func commit<Success, Failure>(
    within limit: TimeLimit, _ edit: (inout PlistDictionary) -> Result<Success, Failure>
  ) throws(PreferencesError) -> Result<Success, Failure> {
    try checkSavable()
    var result: Result<Success, Failure>?
    var refusal: PreferencesError?
    var isChange = false
    // Observers of the closure's changes to other domains are called after this domain's file is
    // unlocked.
    try Delivery.batchingNotifications { () throws(PreferencesError) in
      var delivery = Delivery()
      defer { delivery.deliver() }
      try user.commit(within: limit, &delivery) { values in
        let old = values
        // Another program may have migrated the file since it was last read.
        refusal = migrationObstacle(to: old[PreferencesMigration.versionKey])
        if refusal != nil { return false }
        let new = edit(&values)
        result = new
        isChange = values != old
        guard case .success = new else { return false }
        do throws(PreferencesError) {
          try values.checkStorable()
          try checkReplacement(of: old, with: values)
          return true
        } catch {
          refusal = error
          return false
        }
      }
    }
    if let refusal { throw refusal }
    if isChange, case .success = result { ChangeHook.shared.call(self) }
    return result!
  }

  /// Makes each save of the store's own domain remove the lock file, for a file that is rarely
  /// edited.
  package func removeLockFileAfterSaving() {
    StateLock.change { $0[user.state].keepsLockFile = false }
  }
}
