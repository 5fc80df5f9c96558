internal import FoundationEssentials
internal import PreferencesSync

/// Makes updates of the answers of a watch, each of whole revisions.
struct UpdateAssembler: Sendable {
  private let keys: KeySpace
  /// All changes up to this revision have been delivered.
  private(set) var revision: Int64
  /// What marks that revision; nil before the first connection.
  var mark: RevisionMark?
  /// The changes of a revision of which more may follow.
  private var held: [Change] = []
  /// The number of bytes of these changes, and the largest one.
  private var heldSize = 0
  private let limit: Int

  /// A change of an entry.
  private struct Change: Sendable {
    /// The key; nil if it has other bytes than text, as that of no preference has.
    var key: String?
    var event: WatchAnswer.Event
    var revision: Int64

    var size: Int {
      (event.entry?.key?.count ?? 0) + (event.entry?.value?.count ?? 0) + RemoteEntry.overhead
    }
  }

  init(_ keys: KeySpace, after revision: Int64, limit: Int) {
    self.keys = keys
    self.limit = limit
    self.revision = revision
  }

  /// Forgets the changes of an incomplete revision, which come again with the next watch.
  mutating func discardIncomplete() {
    held = []
    heldSize = 0
  }

  /// Adds an answer, and returns the update that it completes, if it does.
  ///
  /// - Throws: ``EtcdError`` of kind `notEtcd` if the answer cannot be etcd's, or `tooLarge` if a
  ///   revision has too many changes.
  mutating func add(
    _ answer: WatchAnswer.Body, at endpoint: Endpoint
  ) throws(EtcdError) -> RemoteUpdate? {
    for event in answer.events ?? [] {
      guard let entry = event.entry, let bytes = entry.key, let number = entry.revision,
        number.value >= held.last?.revision ?? revision
      else { throw EtcdError(.notEtcd(status: 200), at: endpoint) }
      // Delivered before.
      if number.value <= revision { continue }
      let change = Change(key: keys.key(of: bytes), event: event, revision: number.value)
      heldSize += change.size
      if heldSize > 4 * limit {
        throw EtcdError(.tooLarge(limit: limit), at: endpoint)
      }
      held.append(change)
    }
    if answer.fragment == true {
      // The next answer may go on with the last revision.
      guard let last = held.last?.revision else { return nil }
      return update(of: held.prefix { $0.revision < last }.count)
    }
    if let update = update(of: held.count) { return update }
    guard answer.events?.isEmpty ?? true, answer.created != true,
      let current = answer.header?.revision?.value, current > revision
    else { return nil }
    // Progress: nothing has changed up to here.
    revision = current
    return RemoteUpdate(entries: [], revision: current)
  }

  /// Removes the first changes from those held, and returns them as an update.
  private mutating func update(of count: Int) -> RemoteUpdate? {
    guard count > 0 else { return nil }
    var latest: [[UInt8]: Int] = [:]
    for number in 0..<count {
      mark?.add(held[number].event)
      if let key = held[number].key { latest[Array(key.utf8)] = number }
    }
    var entries: [RemoteEntry] = []
    var removedKeys: [String] = []
    for number in latest.values.sorted() {
      let change = held[number]
      guard let key = change.key else { continue }
      if change.event.isRemoval {
        removedKeys.append(key)
      } else {
        let data = change.event.entry?.value ?? Data()
        entries.append(RemoteEntry(key: key, data: data, revision: change.revision))
      }
    }
    revision = held[count - 1].revision
    held.removeFirst(count)
    heldSize = held.reduce(0) { $0 + $1.size }
    return RemoteUpdate(entries: entries, removedKeys: removedKeys, revision: revision)
  }
}
