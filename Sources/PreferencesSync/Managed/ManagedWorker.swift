internal import FileStorage
internal import FoundationEssentials
internal import Preferences
internal import PropertyList
internal import Threading

/// The one task of a replica: it follows the remote store and writes the files.
struct ManagedWorker: Sendable {
  let remote: any RemoteStore
  let folder: ManagedFolder
  let stateFile: PreferencesStore
  let events: ManagedEventQueue
  let board: StatusBoard<ManagedPreferencesReplica.Status>
  var entries: ManagedEntries
  var backoff: RetryBackoff

  /// What the state file holds.
  private var state = ManagedState()
  /// The domains whose files may not have what the remote store has.
  private var unsaved: Set<ByteKey> = []
  /// What is known of each domain.
  private var domains: [ByteKey: ManagedPreferencesReplica.Status.Domain] = [:]
  private var needsSnapshot = true
  private var hasReportedLock = false
  private var strayEntry: ManagedPreferencesError?
  /// The task that iterates the stream of remote changes; nil while disconnected.
  private var stream: Task<Void, Never>?
  private var streamStart = ContinuousClock.now
  /// The task that ends a pause after a failure; nil outside a pause.
  private var pause: Task<Void, Never>?

  init(
    remote: any RemoteStore, folder: ManagedFolder, stateFile: PreferencesStore,
    events: ManagedEventQueue, board: StatusBoard<ManagedPreferencesReplica.Status>,
    entries: ManagedEntries, backoff: RetryBackoff
  ) {
    self.remote = remote
    self.folder = folder
    self.stateFile = stateFile
    self.events = events
    self.board = board
    self.entries = entries
    self.backoff = backoff
  }

  /// Replicates until the event queue is canceled.
  mutating func run() async {
    while let batch = await events.next() {
      if batch.isImmediate || batch.endsPause { endPause() }
      if batch.isImmediate { needsSnapshot = true }
      do throws(ManagedPreferencesError) {
        try await claimStateFile()
        try merge(batch)
        if let error = batch.disconnection, !batch.isImmediate {
          try await save()
          throw .remote(error)
        }
        guard pause == nil || stream != nil else { continue }
        if stream == nil || needsSnapshot { try await connect() }
        try await save()
        events.resume(batch.waiters, with: result)
      } catch {
        handle(error, batch.waiters)
      }
    }
    disconnect()
    pause?.cancel()
  }

  /// The result for callers that wait for completion.
  private var result: Result<Void, any Error> {
    for (_, domain) in domains.sorted(by: { $0.value.name < $1.value.name }) {
      if let error = domain.error { return .failure(error) }
    }
    return .success(())
  }

  // MARK: The remote store

  private mutating func merge(
    _ batch: ManagedEventQueue.Batch
  ) throws(ManagedPreferencesError) {
    guard stream != nil, let revision = batch.revision else { return }
    for (key, change) in batch.changes {
      switch change {
      case .put(let entry): if let domain = try entries.put(entry) { unsaved.insert(domain) }
      case .removal: if let domain = entries.remove(key.text) { unsaved.insert(domain) }
      }
    }
    state.revision = revision
    noteContact(revision: revision)
    reportStrayEntry()
  }

  /// Takes over a snapshot of the remote store, and starts a stream of its changes.
  private mutating func connect() async throws(ManagedPreferencesError) {
    disconnect()
    let snapshot: RemoteSnapshot
    do {
      snapshot = try await remote.entries()
    } catch {
      throw .remote(error)
    }
    entries.removeAll()
    for entry in snapshot.entries { _ = try entries.put(entry) }
    // A store that knows less than was seen has lost what it knew, and not removed it.
    let isBehind = snapshot.revision < state.revision
    let present = entries.domains
    for domain in state.files.keys where entries.includes(domain) && !present.contains(domain) {
      if isBehind { state.files[domain]?.isKept = true }
    }
    unsaved = present.union(state.files.keys.filter { entries.includes($0) })
    for domain in domains.keys where !unsaved.contains(domain) { domains[domain] = nil }
    needsSnapshot = false
    state.revision = snapshot.revision
    noteContact(revision: snapshot.revision)
    reportStrayEntry()
    startStream(after: snapshot.revision)
  }

  private mutating func startStream(after revision: Int64) {
    let number = events.beginStream()
    streamStart = .now
    board.update { $0.isConnected = true }
    stream = Task { [remote, events] in
      do {
        for try await update in remote.changes(after: revision) {
          events.recordUpdate(update, from: number)
        }
        events.recordDisconnection(RemoteStoreError.unreachable, from: number)
      } catch {
        events.recordDisconnection(error, from: number)
      }
    }
  }

  private mutating func disconnect() {
    // The end of the stream must not count as a lost connection.
    _ = events.beginStream()
    stream?.cancel()
    stream = nil
    board.update { $0.isConnected = false }
  }

  private func noteContact(revision: Int64) {
    board.noteContact()
    board.update { $0.revision = revision }
  }

  private mutating func reportStrayEntry() {
    let current = entries.strayEntry
    if let current, current != strayEntry { report(current) }
    strayEntry = current
  }

  // MARK: Files

  /// Acquires the exclusive claim to the state file, and reads it, unless it is held already.
  private mutating func claimStateFile() async throws(ManagedPreferencesError) {
    if events.stateFileClaim != nil { return }
    state = try await BackgroundThread.run {
      [stateFile, events] () throws(ManagedPreferencesError) in
      let claim: OwnershipLock?
      do throws(PreferencesError) {
        claim = try stateFile.claimOwnFile()
      } catch {
        throw .stateFile(error)
      }
      guard let claim else { throw .stateFileLocked(path: stateFile.domain) }
      // Loads what the previous holder of the claim has written.
      stateFile.synchronize()
      if let problem = stateFile.problems.first { throw .stateFile(problem) }
      var values = PlistDictionary()
      for key in ManagedState.keys { values[key] = stateFile.ownValue(forKey: key) }
      events.keep(claim)
      return ManagedState(values)
    }
    for domain in state.files.keys where entries.includes(domain) {
      domains[domain] = ManagedPreferencesReplica.Status.Domain(
        name: domain.text, path: folder.file(of: domain.text))
    }
    publishDomains(revision: state.revision)
  }

  /// Writes the files of the domains that may not have what the remote store has.
  ///
  /// The order of writes lets a successor recognize the files after a crash at any point: the hash of
  /// new contents is in the state file before they are in the managed file.
  private mutating func save() async throws(ManagedPreferencesError) {
    if unsaved.isEmpty { return }
    let files = unsaved.sorted { $0.text < $1.text }.map { domain in
      File(domain, entries, state.files[domain]?.isKept == true)
    }
    let (new, outcomes) = try await BackgroundThread.run {
      [state, stateFile, folder, events] () throws(ManagedPreferencesError) in
      // Retained until the writes have ended, so that no successor starts before.
      guard let claim = events.stateFileClaim else { return (state, [Outcome]()) }
      defer { withExtendedLifetime(claim) {} }
      return try Self.write(files, state, to: folder, stateFile)
    }
    state = new
    for outcome in outcomes { note(outcome) }
    publishDomains(revision: nil)
    let isFailing = outcomes.contains { $0.isLocalFailure }
    if isFailing {
      if pause == nil { beginPause() }
    } else if pause != nil {
      endPause()
    }
  }

  /// What the file of a domain is to hold.
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

  /// What was done with the file of a domain.
  private struct Outcome: Sendable {
    var domain: ByteKey
    var keyCount: Int?
    var error: ManagedPreferencesError?
    /// Whether the file, and not the remote store, is the reason of the error.
    var isLocalFailure = false
  }

  /// Writes files.
  ///
  /// - Returns: The new state, and the outcome of each file.
  private static func write(
    _ files: [File], _ old: ManagedState, to folder: ManagedFolder, _ stateFile: PreferencesStore
  ) throws(ManagedPreferencesError) -> (ManagedState, [Outcome]) {
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
    try save(state, unless: announced, to: stateFile)
    return (state, outcomes)
  }

  private static func save(
    _ state: ManagedState, unless known: ManagedState?, to stateFile: PreferencesStore
  ) throws(ManagedPreferencesError) {
    if state == known { return }
    do throws(PreferencesError) {
      // What is there already is not written again.
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
    if let error = outcome.error, error != old { report(error) }
  }

  private func publishDomains(revision: Int64?) {
    let sorted = domains.values.sorted { $0.name < $1.name }
    board.update { status in
      status.domains = sorted
      if let revision { status.revision = revision }
    }
  }

  // MARK: Failures

  /// Reports an error, and pauses before the next attempt.
  private mutating func handle(_ error: ManagedPreferencesError, _ waiters: Set<Int>) {
    if Task.isCancelled { return }
    if stream != nil { backoff.reset(afterSuccessLasting: .now - streamStart) }
    disconnect()
    if case .stateFileLocked = error {
      if !hasReportedLock { report(error) }
      hasReportedLock = true
    } else {
      report(error)
    }
    // Unlike a lost connection, other errors do not pass by themselves.
    if case .remote = error {} else { events.resume(waiters, with: .failure(error)) }
    beginPause()
  }

  private func report(_ error: ManagedPreferencesError) {
    board.update { status, date in
      status.lastError = error
      status.lastErrorDate = date
    }
    events.report(error)
  }

  private mutating func beginPause() {
    endPause()
    var generator = SystemRandomNumberGenerator()
    let duration = backoff.advance(using: &generator)
    pause = Task { [events] in
      if (try? await Task.sleep(for: duration)) != nil { events.endPause() }
    }
  }

  private mutating func endPause() {
    pause?.cancel()
    pause = nil
  }
}
