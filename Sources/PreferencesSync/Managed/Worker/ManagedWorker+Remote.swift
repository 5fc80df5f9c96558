internal import PropertyList
internal import Preferences

/// The remote store, and whether it was restored from a backup.
extension ManagedWorker {
  mutating func merge(_ received: ManagedEvents) throws(ManagedPreferencesError) {
    guard connection.isOpen, let revision = received.revision else { return }
    for (key, change) in received.changes {
      switch change {
      case .put(let entry):
        noteEntry(entry)
        if let domain = try entries.put(entry) { unsaved.insert(domain) }
      case .removal:
        if state.newestEntry?.key.hasSameBytes(as: key.text) == true { state.newestEntry = nil }
        if let domain = entries.remove(key.text) { unsaved.insert(domain) }
      }
    }
    state.revision = revision
    noteContact(revision: revision)
    reportStrayEntry()
  }

  /// Applies a snapshot of the remote store, and starts a stream of its changes.
  mutating func connect() async throws(ManagedPreferencesError) {
    connection.close()
    let snapshot: RemoteSnapshot
    do {
      snapshot = try await remote.entries()
    } catch {
      throw .remote(error)
    }
    entries.removeAll()
    for entry in snapshot.entries { _ = try entries.put(entry) }
    let present = entries.domains
    let missing = state.files.keys.filter { entries.includes($0) && !present.contains($0) }
    // Entries that a store has lost have not been removed on purpose.
    if !missing.isEmpty, try await hasLostHistory(snapshot) {
      for domain in missing { state.files[domain]?.isKept = true }
    }
    unsaved = present.union(state.files.keys.filter { entries.includes($0) })
    for domain in domains.keys where !unsaved.contains(domain) { domains[domain] = nil }
    needsSnapshot = false
    state.revision = snapshot.revision
    state.newestEntry = nil
    for entry in snapshot.entries { noteEntry(entry) }
    noteContact(revision: snapshot.revision)
    reportStrayEntry()
    startStream(after: snapshot.revision)
  }

  /// Returns whether the remote store has lost changes that this machine has seen, even if it has
  /// received others since.
  private func hasLostHistory(
    _ snapshot: RemoteSnapshot
  ) async throws(ManagedPreferencesError) -> Bool {
    if snapshot.revision < state.revision { return true }
    guard let newest = state.newestEntry else { return false }
    do {
      let entry = try await remote.entry(forKey: newest.key, at: state.revision)
      return entry.map { ManagedState.Entry($0) } != newest
    } catch RemoteStoreError.revisionCompacted {
      return false
    } catch {
      throw .remote(error)
    }
  }

  private mutating func noteEntry(_ entry: RemoteEntry) {
    if entry.revision >= state.newestEntry?.revision ?? 0 {
      state.newestEntry = ManagedState.Entry(entry)
    }
  }

  private mutating func startStream(after revision: Int64) {
    // Changes of an earlier stream are in the snapshot.
    let number = events.beginStream { events, _ in (events.changes, events.revision) = ([:], nil) }
    connection.open(remote, after: revision, as: number) { [events] in
      events.recordUpdate($0, from: number)
    }
  }

  private func noteContact(revision: Int64) {
    events.status.noteContact()
    events.status.update { $0.revision = revision }
  }

  private mutating func reportStrayEntry() {
    let current = entries.strayEntry
    if let current, current != strayEntry { events.report(current) }
    strayEntry = current
  }
}
