internal import FileStorage
internal import FoundationEssentials
internal import PropertyList

/// Taking changes to the file.
extension DomainFile {
  /// Whether there are changes that are not saved.
  var hasChanges: Bool { state.withLock { !$0.pending.isEmpty } }

  /// Calls the closure with every failure to save in the background.
  func onFailure(_ handler: @escaping @Sendable (PreferencesError) -> Void) {
    state.withLock { $0.failureHandlers.append(handler) }
  }

  func report(_ error: PreferencesError) {
    for handler in state.withLock({ $0.failureHandlers }) { handler(error) }
  }

  /// Saves the changes that have been made up to now, if there are any.
  ///
  /// - Parameter timeout: How long to wait for the file's lock.
  /// - Throws: Why nothing was saved; the changes stay and can be saved later.
  func commit(timeout: Duration = .seconds(10)) throws {
    try filing.withLock { _ in
      if hasChanges { try commitWhileFiling(timeout: timeout) { _ in } }
    }
  }

  /// Saves the changes that have been made up to now together with one more.
  ///
  /// - Parameters:
  ///   - timeout: How long to wait for the file's lock.
  ///   - body: Changes the values on top of everything. It is called again when another program has
  ///     changed the file in between.
  /// - Throws: What `body` throws, or why nothing was saved; the changes stay and can be saved later.
  func commit(
    timeout: Duration = .seconds(10), _ body: (inout PlistDictionary) throws -> Void
  ) throws {
    try filing.withLock { _ in
      // The body may look at values: that must not need the file then.
      if !state.withLock({ $0.isLoaded }) { readFile() }
      try commitWhileFiling(timeout: timeout, body)
    }
  }

  /// Saves the changes at the end of the process, when a commit of another thread may never end.
  ///
  /// - Parameter timeout: How long to wait for other threads and processes.
  func commit(within timeout: Duration) throws {
    let deadline = ContinuousClock.now + timeout
    try filing.withLock(waiting: timeout) { _ in
      if hasChanges { try commitWhileFiling(timeout: max(.zero, deadline - .now)) { _ in } }
    }
  }

  private func commitWhileFiling(
    timeout: Duration, _ body: (inout PlistDictionary) throws -> Void
  ) throws {
    let before = state.withLock { $0 }
    var result = before.contents
    if let path {
      result = try save(before, to: path, timeout: timeout, body)
    } else {
      result.values = before.pending.applied(to: result.values)
      try body(&result.values)
    }
    state.withLock { [result] state in
      state.isLoaded = true
      state.problem = nil
      state.isSuspect = false
      state.contents = result
      state.pending.remove(before.pending)
    }
  }

  /// What the closure of an update throws, told from errors of the file.
  private struct BodyError: Error {
    var error: any Error
  }

  /// Takes pending changes and those of the body to the file.
  ///
  /// - Returns: What the file holds then.
  private func save(
    _ before: State, to path: String, timeout: Duration,
    _ body: (inout PlistDictionary) throws -> Void
  ) throws -> DomainContents {
    var result = DomainContents()
    var attempts = 0
    while true {
      do {
        let identity = try Self.makeFile(path).update(
          timeout: timeout, keepingLockFile: true, isPrivate: true
        ) { found in
          let contents = try DomainContents(found, unless: before.known, path: path)
          var values = before.pending.applied(to: contents.values)
          do { try body(&values) } catch { throw BodyError(error: error) }
          if before.pinnedFormat == .xml { values = values.withWholeSeconds }
          result = contents
          result.values = values
          if found == nil, values.isEmpty { return nil }
          // What the file says already need not be written again.
          if found != nil, !before.isSuspect, Self.areStoredAlike(values, contents.values) {
            return nil
          }
          let data = try contents.data(for: values, pinned: before.pinnedFormat, path: path)
          result.format = PlistFormat(detecting: data)
          return data
        }
        result.identity = identity
        return result
      } catch let error as BodyError {
        throw error.error
      } catch let error as PreferencesError where error.mayPass && attempts < 10 {
        attempts += 1
        CommitScheduler.sleep(.milliseconds(20))
      } catch let error as PreferencesError {
        if error.isAboutContents { state.withLock { $0.problem = error } }
        throw error
      } catch let error as SystemError {
        state.withLock { $0.isSuspect = true }
        throw PreferencesError.storage(path: path, error)
      }
    }
  }

  /// Whether two dictionaries are equal down to the width of reals and the signs of zeros, which
  /// equality passes over: their binary forms are then the same bytes.
  private static func areStoredAlike(_ one: PlistDictionary, _ other: PlistDictionary) -> Bool {
    guard one == other else { return false }
    let forms = [one, other].map { try? PropertyList.write(.dictionary($0), as: .binary) }
    return forms[0] != nil && forms[0] == forms[1]
  }

  /// The file of a path, whose folder is made for the user alone where it is missing.
  private static func makeFile(_ path: String) throws -> AtomicFile {
    do throws(SystemError) {
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
  func recover(suffix: String) throws -> String? {
    guard let path else { return nil }
    return try filing.withLock { _ in
      readFile()
      guard let problem = state.withLock({ $0.problem }) else { return nil }
      guard problem.isOfTheFile else { throw problem }
      do {
        let file = try Self.makeFile(path)
        let name = try file.moveAside(suffix: suffix, keepingLockFile: true) {
          // Another process may have recovered it by now.
          readFile()
          return state.withLock { $0.problem }?.isOfTheFile == true
        }
        if name != nil { state.withLock { $0.contents = DomainContents() } }
        readFile()
        return name.map { file.sibling($0) }
      } catch let error as SystemError {
        throw PreferencesError.storage(path: path, error)
      }
    }
  }
}

extension PreferencesError {
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
    return SystemError.ofTheFile.contains(error.code)
  }
}
