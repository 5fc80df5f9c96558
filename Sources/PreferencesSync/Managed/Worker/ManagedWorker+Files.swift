internal import FoundationEssentials
internal import Preferences
internal import PropertyList
internal import Threading

/// The state file, and the managed files.
extension ManagedWorker {
  /// Acquires the exclusive claim to the state file, and reads it, unless it is held already.
  mutating func claimStateFile() async throws(ManagedPreferencesError) {
    let known = try await events.claim(stateFile) {
      [stateFile] () throws(ManagedPreferencesError) in
      if let problem = stateFile.problems.first { throw .stateFile(problem) }
      var values = PlistDictionary()
      for key in ManagedState.keys { values[key] = stateFile.ownValue(forKey: key) }
      return ManagedState(values)
    }
    guard let known else { return }
    state = known
    noteSaved()
    for domain in state.files.keys where entries.includes(domain) {
      domains[domain] = ManagedPreferencesReplica.Status.Domain(
        name: domain.text, path: folder.file(of: domain.text))
    }
    publishDomains(revision: state.revision)
  }

  /// Writes the files of the domains that may differ from the remote store.
  ///
  /// The order of writes lets a successor recognize the files after a crash at any point: the hash of
  /// new contents is in the state file before they are in the managed file.
  mutating func save() async throws(ManagedPreferencesError) {
    // The revision, which moves with each change in the remote store, is saved now and then.
    let isDue = state.revision != savedRevision && .now - saveTime >= revisionInterval
    if unsaved.isEmpty && !isDue { return }
    let files = unsaved.sorted { $0.text < $1.text }.map { domain in
      File(domain, entries, state.files[domain]?.isKept == true)
    }
    let (new, outcomes, failure) = try await BackgroundThread.run {
      [state, stateFile, folder, events] () throws(ManagedPreferencesError)
        -> (ManagedState, [Outcome], ManagedPreferencesError?) in
      // Retained until the writes have ended, so that no successor starts before.
      guard let claim = events.stateFileClaim else { return (state, [], nil) }
      defer { withExtendedLifetime(claim) {} }
      return try Self.write(files, state, to: folder, stateFile)
    }
    state = new
    if let failure { throw failure }
    noteSaved()
    for outcome in outcomes { note(outcome) }
    publishDomains(revision: nil)
    let isFailing = outcomes.contains { $0.isLocalFailure }
    if isFailing {
      if pause == nil { beginPause(connection.nextDelay()) }
    } else if pause != nil {
      endPause()
    }
  }

  private mutating func noteSaved() {
    savedRevision = state.revision
    saveTime = .now
  }

  /// The intended contents of the file of a domain.
  private struct File: Sendable {
    let domain: ByteKey
    let isInStore: Bool
    let isKept: Bool
    let contents: Result<(data: Data, keyCount: Int), ManagedPreferencesError>

    init(_ domain: ByteKey, _ entries: ManagedEntries, _ wasKept: Bool) {
      self.domain = domain
      isInStore = entries.domains.contains(domain)
      isKept = wasKept && !isInStore
      do throws(ManagedPreferencesError) {
        contents = .success(try entries.contents(of: domain))
      } catch {
        contents = .failure(error)
      }
    }
  }

  /// The outcome of writing the file of a domain.
  private struct Outcome: Sendable {
    var domain: ByteKey
    var keyCount: Int?
    var error: ManagedPreferencesError?
    /// Whether the file, and not the remote store, is the reason for the error.
    var isLocalFailure = false
  }

  /// Writes files.
  ///
  /// - Returns: The state in the state file, the outcome of each file, and the reason if the state
  ///   after the writes could not be saved.
  /// - Throws: The reason if nothing was written.
  private static func write(
    _ files: [File], _ old: ManagedState, to folder: ManagedFolder, _ stateFile: PreferencesStore
  ) throws(ManagedPreferencesError) -> (ManagedState, [Outcome], ManagedPreferencesError?) {
    var state = old
    for file in files {
      guard !file.isKept, case .success(let contents) = file.contents else { continue }
      let hash = ManagedState.hash(contents.data)
      state.files[file.domain, default: ManagedState.File()].add(hash)
      state.files[file.domain]?.isKept = false
    }
    try save(state, unless: nil, to: stateFile)
    let announced = state
    var outcomes: [Outcome] = []
    for file in files {
      var outcome = Outcome(domain: file.domain)
      do throws(ManagedPreferencesError) {
        if file.isKept { throw .missingDomain(name: file.domain.text) }
        let contents = try file.contents.get()
        let known = old.files[file.domain]?.hashes ?? []
        do throws(ManagedPreferencesError) {
          try folder.write(contents.data, domain: file.domain.text, isNeeded: file.isInStore) {
            known.contains(ManagedState.hash($0))
          }
          outcome.keyCount = contents.keyCount
          state.files[file.domain]?.hashes = [ManagedState.hash(contents.data)]
        } catch {
          outcome.isLocalFailure = true
          // The new contents were not written, and are not the replica's.
          if case .foreignFile = error { state.files[file.domain] = old.files[file.domain] }
          throw error
        }
      } catch {
        outcome.error = error
      }
      outcomes.append(outcome)
    }
    do throws(ManagedPreferencesError) {
      try save(state, unless: announced, to: stateFile)
    } catch {
      return (announced, [], error)
    }
    return (state, outcomes, nil)
  }

  private static func save(
    _ state: ManagedState, unless known: ManagedState?, to stateFile: PreferencesStore
  ) throws(ManagedPreferencesError) {
    if state == known { return }
    do throws(PreferencesError) {
      // Contents that are there already are not written again.
      try stateFile.update { state.encode(to: &$0) }
    } catch {
      throw .stateFile(error)
    }
  }

  private mutating func note(_ outcome: Outcome) {
    let old = domains[outcome.domain]?.error
    domains[outcome.domain] = ManagedPreferencesReplica.Status.Domain(
      name: outcome.domain.text, path: folder.file(of: outcome.domain.text),
      keyCount: outcome.keyCount, error: outcome.error)
    if !outcome.isLocalFailure { unsaved.remove(outcome.domain) }
    if let error = outcome.error, error != old { events.report(error) }
  }

  private func publishDomains(revision: Int64?) {
    let sorted = domains.values.sorted { $0.name < $1.name }
    events.status.update { status in
      status.domains = sorted
      if let revision { status.revision = revision }
    }
  }
}
