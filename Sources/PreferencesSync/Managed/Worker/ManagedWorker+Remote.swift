internal import PropertyList
internal import Preferences

/// The remote store.
extension ManagedWorker {
  mutating func merge(_ received: ManagedEvents) throws(ManagedPreferencesError) {
    guard stream != nil, let revision = received.revision else { return }
    for (key, change) in received.changes {
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
  mutating func connect() async throws(ManagedPreferencesError) {
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
    let number = events.beginStream { events, _ in events.discardChanges() }
    streamStart = .now
    stream = events.follow(remote, after: revision, as: number) { [events] in
      events.recordUpdate($0, from: number)
    }
  }

  mutating func disconnect() {
    // The end of the stream must not count as a lost connection.
    events.endStream { $0.discardChanges() }
    stream?.cancel()
    stream = nil
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
