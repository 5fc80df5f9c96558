internal import FoundationEssentials
internal import PreferencesSync

/// Makes updates from the answers of a watch. Each update has complete revisions.
struct UpdateAssembler: Sendable {
  let keys: KeySpace
  private let options: EtcdStore.Options
  /// All changes up to this revision have been received.
  private(set) var revision: Int64
  /// The mark of that revision; nil before the first connection.
  var mark: RevisionMark?
  /// The changes of a revision that may have further changes.
  private var held: [Change] = []
  /// The last change of each key since the revision that was taken.
  private var latest: [[UInt8]: Change] = [:]
  private var latestSize = 0
  private var takenRevision: Int64

  /// A change of an entry.
  private struct Change: Sendable {
    /// The preference's key; nil if the name is not UTF-8.
    var key: String?
    var event: WatchAnswer.Event
    var revision: Int64

    var size: Int {
      (event.kv?.key?.count ?? 0) + (event.kv?.value?.count ?? 0) + RemoteEntry.overhead
    }
  }

  init(_ keys: KeySpace, after revision: Int64, _ options: EtcdStore.Options) {
    self.keys = keys
    self.options = options
    self.revision = revision
    takenRevision = revision
  }

  /// Discards the changes of an incomplete revision, which the next watch delivers again.
  mutating func discardIncomplete() { held = [] }

  /// Adds an answer.
  ///
  /// - Throws: ``EtcdError`` of kind `notEtcd` if the answer cannot be etcd's, or `tooLarge` if a
  ///   revision has too many changes, or too many have not been taken.
  mutating func add(_ answer: WatchAnswer.Body, at endpoint: Endpoint) throws(EtcdError) {
    for event in answer.events ?? [] {
      guard let entry = event.kv, let bytes = entry.key, let number = entry.modRevision,
        number.value >= held.last?.revision ?? revision
      else { throw EtcdError(.notEtcd(status: 200), at: endpoint) }
      // Delivered before.
      if number.value <= revision { continue }
      held.append(Change(key: keys.key(of: bytes), event: event, revision: number.value))
    }
    if held.reduce(0, { $0 + $1.size }) > 4 * options.largestAnswer {
      throw EtcdError(.tooLarge(limit: options.largestAnswer), at: endpoint)
    }
    if let last = held.last?.revision {
      // The next response may continue the last revision.
      complete(answer.fragment == true ? held.prefix { $0.revision < last }.count : held.count)
    } else if answer.fragment != true, answer.events?.isEmpty ?? true, answer.created != true {
      // Progress: nothing has changed up to here.
      revision = max(revision, answer.header?.revision?.value ?? 0)
    }
    if latestSize > options.largestStore {
      throw EtcdError(.tooLarge(limit: options.largestStore), at: endpoint)
    }
  }

  /// Takes over the first held changes.
  private mutating func complete(_ count: Int) {
    for change in held.prefix(count) {
      mark?.add(change.event)
      revision = change.revision
      guard let key = change.key else { continue }
      let old = latest.updateValue(change, forKey: Array(key.utf8))
      latestSize += change.size - (old?.size ?? 0)
    }
    held.removeFirst(count)
  }

  /// Returns the changes since the last call, of several the last of each key; nil if there is nothing
  /// new.
  mutating func take() -> RemoteUpdate? {
    guard revision > takenRevision else { return nil }
    var update = RemoteUpdate(entries: [], revision: revision)
    let ordered = latest.sorted {
      ($0.value.revision, $0.value.key ?? "") < ($1.value.revision, $1.value.key ?? "")
    }
    for (name, change) in ordered {
      let key = String(decoding: name, as: UTF8.self)
      if change.event.isRemoval {
        update.removedKeys.append(key)
      } else {
        update.entries.append(
          RemoteEntry(
            key: key, data: change.event.kv?.value ?? Data(), revision: change.revision))
      }
    }
    latest = [:]
    latestSize = 0
    takenRevision = revision
    return update
  }
}
