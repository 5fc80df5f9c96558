internal import FileStorage
internal import FoundationEssentials
internal import Glibc
internal import PropertyList
internal import Threading

/// Taking changes to the file.
extension DomainFile {
  /// Calls the closure with every failure to save in the background.
  func onFailure(_ handler: @escaping @Sendable (PreferencesError) -> Void) {
    StateLock.change { state.failureHandlers.append(handler) }
  }

  func report(_ error: PreferencesError) {
    for handler in StateLock.change({ state.failureHandlers }) { handler(error) }
  }

  /// Saves the changes that have been made up to now, if there are any.
  ///
  /// - Parameter timeout: How long to wait for the file's lock.
  /// - Throws: Why nothing was saved; the changes stay and can be saved later.
  func commit(timeout: Duration = .seconds(10), _ delivery: inout Delivery) throws {
    try whileFiling(&delivery) { delivery in
      try saveChanges(until: .now + timeout, &delivery)
    }
  }

  /// Saves the changes that have been made up to now together with one more.
  ///
  /// - Parameters:
  ///   - timeout: How long to wait for the file's lock.
  ///   - threadTimeout: How long to wait for other threads; nil to do so without end.
  ///   - body: Changes the values on top of everything. It is called again when another program has
  ///     changed the file in between.
  /// - Throws: What `body` throws, or why nothing was saved; the changes stay and can be saved later.
  func commit(
    timeout: Duration = .seconds(10), threadTimeout: Duration? = nil, _ delivery: inout Delivery,
    _ body: (inout PlistDictionary) throws -> Void
  ) throws {
    let isDone: Void? = try whileFiling(waiting: threadTimeout, &delivery) { delivery in
      // The body may look at values: that must not need the file then.
      loadWhileFiling(&delivery)
      let deadline = ContinuousClock.now + timeout
      if StateLock.change({ values.isSaving }) {
        // Such that could not be saved before go by themselves: with the body's error they would be
        // left behind again.
        try save(until: deadline, &delivery)
      }
      StateLock.change { values.beginSaving() }
      try save(until: deadline, &delivery, hasBody: true, body)
    }
    if isDone == nil {
      throw PreferencesError.lockTimeout(path: path ?? "", waited: threadTimeout ?? .zero)
    }
  }

  /// Saves the changes where a commit of another thread may never end, as at the end of the process.
  ///
  /// - Parameter timeout: How long to wait for other threads and processes.
  func commit(within timeout: Duration, _ delivery: inout Delivery) throws {
    let deadline = ContinuousClock.now + timeout
    let isDone: Void? = try whileFiling(waiting: timeout, &delivery) { delivery in
      try saveChanges(until: deadline, &delivery)
    }
    if isDone == nil { throw PreferencesError.lockTimeout(path: path ?? "", waited: timeout) }
  }

  /// Saves first the changes that could not be saved before, and then those that came since.
  private func saveChanges(
    until deadline: ContinuousClock.Instant, _ delivery: inout Delivery
  ) throws {
    for _ in 0..<2 {
      let hasChanges = StateLock.change {
        values.beginSaving()
        return values.isSaving
      }
      guard hasChanges else { return }
      try save(until: deadline, &delivery)
    }
  }

  /// Saves the changes that are on their way, and takes over what the file holds then.
  ///
  /// - Parameters:
  ///   - hasBody: Whether the body makes one more change.
  private func save(
    until deadline: ContinuousClock.Instant, _ delivery: inout Delivery, hasBody: Bool = false,
    _ body: (inout PlistDictionary) throws -> Void = { _ in }
  ) throws {
    // Only who is at work on the file changes these.
    let (before, old) = StateLock.change { (state, values.dictionary) }
    var result = DomainContents(values: old, format: before.format, version: nil)
    let saved = values.generations.pointee.saving.keys
    let changesOnlyKeys = !hasBody && !values.generations.pointee.saving.replacesAll
    var isOwn = true
    var found = old
    if let path {
      let timeout = max(.zero, deadline - .now)
      let known = before.problem == nil ? before.version : nil
      result.version = known
      (result, isOwn, found) = try write(
        result, before, to: path, timeout: timeout, ownKeys: changesOnlyKeys ? saved : nil
      ) { values in
        values = self.values.generations.pointee.saving.applied(to: values)
        try body(&values)
      }
    } else {
      result.values = values.generations.pointee.saving.applied(to: old)
      try body(&result.values)
    }
    let isMuted = Propagation.isMuted
    if isMuted, !isOwn {
      // What others have put there is not this thread's doing: observers hear of that first.
      let changed = old.keysChanged(to: found)
      StateLock.change { values.install(found, changed: changed, &delivery) }
    }
    // What this process has set is seen already; anything else may be new to observers.
    isOwn = isOwn && changesOnlyKeys
    let changed =
      isOwn ? saved : (isMuted ? found : old).keysChanged(to: result.values)
    StateLock.change {
      state.note(result)
      state.isSuspect = false
      values.install(
        result.values, changed: changed, observed: saved, endsSaving: true, isMuted: isMuted,
        &delivery)
    }
  }

  /// What the closure of an update throws, told from errors of the file.
  private struct BodyError: Error {
    var error: any Error
  }

  /// Takes changes to the file.
  ///
  /// - Parameters:
  ///   - known: What the file was found to hold before.
  ///   - ownKeys: The keys that are changed where the file still holds that; nil for any.
  ///   - change: Makes the changes.
  /// - Returns: What the file holds then, whether it held what was known before, and what it held.
  private func write(
    _ known: DomainContents, _ before: State, to path: String, timeout: Duration,
    ownKeys: [String]?,
    _ change: (inout PlistDictionary) throws -> Void
  ) throws -> (DomainContents, isOwn: Bool, found: PlistDictionary) {
    var result = DomainContents()
    var isOwn = false
    var foundValues = PlistDictionary()
    var attempts = 0
    while true {
      do {
        let version = try Self.makeFile(path).update(
          since: known.version, timeout: timeout, keepingLockFile: true, isPrivate: true
        ) { found throws in
          let other = try DomainContents(found, path: path)
          isOwn = other == nil
          let contents = other ?? known
          result = contents
          foundValues = contents.values
          do { try change(&result.values) } catch { throw BodyError(error: error) }
          if before.pinnedFormat == .xml {
            let rounded = result.values.withWholeSeconds
            // Others than those that this process has set may become other values.
            if rounded != result.values { isOwn = false }
            result.values = rounded
          }
          if found.identity == nil, result.values.isEmpty { return nil }
          // What the file says already need not be written again.
          if found.identity != nil, !before.isSuspect,
            result.values.isStoredLike(contents.values, changed: isOwn ? ownKeys : nil)
          {
            return nil
          }
          // In the order of the file, so that the next time there is nothing to sort.
          result.values.sortKeys()
          let data = try contents.data(
            for: result.values, pinned: before.pinnedFormat, path: path)
          result.format = PlistFormat(detecting: data)
          return data
        }
        result.version = version
        return (result, isOwn, foundValues)
      } catch UpdateError<any Error>.body(let error as BodyError) {
        throw error.error
      } catch UpdateError<any Error>.body(let error as PreferencesError)
        where error.mayPass && attempts < 10
      {
        attempts += 1
        Duration.milliseconds(20).sleep()
      } catch UpdateError<any Error>.body(let error as PreferencesError) {
        if error.isAboutContents { StateLock.change { state.problem = error } }
        throw error
      } catch UpdateError<any Error>.file(let error) {
        StateLock.change { state.isSuspect = true }
        throw PreferencesError(error, path: path)
      } catch let error as FileSystemError {
        StateLock.change { state.isSuspect = true }
        throw PreferencesError(error, path: path)
      }
    }
  }

  /// The file of a path, whose folder is made for the user alone where it is missing.
  static func makeFile(_ path: String) throws(FileSystemError) -> AtomicFile {
    do throws(FileSystemError) {
      return try AtomicFile(path)
    } catch {
      guard error.isMissing else { throw error }
      try AtomicFile.createFolder(of: path)
      return try AtomicFile(path)
    }
  }

  // MARK: Recovery

  /// Gives a file that cannot be read another name, so that a new one can take its place.
  ///
  /// - Returns: The path under which the old file is kept; nil where the file can be read, or there is
  ///   none.
  /// - Throws: An error of storage, also where the file cannot be read for a reason that does not lie
  ///   with it.
  func recover(suffix: String, _ delivery: inout Delivery) throws -> String? {
    guard let path else { return nil }
    return try whileFiling(&delivery) { delivery -> String? in
      readFile(&delivery)
      guard let problem = StateLock.change({ state.problem }) else { return nil }
      guard problem.isOfTheFile else { throw problem }
      do throws(FileSystemError) {
        let file = try Self.makeFile(path)
        let name = try file.moveAside(suffix: suffix, keepingLockFile: true) {
          // Another process may have recovered it by now.
          readFile(&delivery)
          return StateLock.change { state.problem }?.isOfTheFile == true
        }
        if name != nil { install(DomainContents(), &delivery) }
        readFile(&delivery)
        return name.map { file.sibling($0) }
      } catch {
        throw PreferencesError(error, path: path)
      }
    } ?? nil
  }
}

extension PreferencesError {
  /// Whether a lock was not to be had in time.
  var isTimeout: Bool {
    if case .lockTimeout = self { true } else { false }
  }

  /// Whether another look may find the file whole.
  var mayPass: Bool {
    switch self {
    case .emptyFile, .corrupt: true
    default: false
    }
  }

  /// Whether the file was read and is not what it should be.
  fileprivate var isAboutContents: Bool {
    switch self {
    case .emptyFile, .corrupt, .notPreferences: true
    default: false
    }
  }

  /// Whether a file that could not be read would not be the next time either: because of what it holds,
  /// what it is, its permissions or its disk, and not because the process is short of something.
  fileprivate var isOfTheFile: Bool {
    guard case .storage(_, let error) = self else { return isAboutContents }
    return error.isAboutFile
  }
}
