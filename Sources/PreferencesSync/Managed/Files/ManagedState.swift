internal import FileStorage
internal import FoundationEssentials
internal import Preferences
internal import PropertyList

/// The knowledge of a replica from earlier runs, in its state file.
struct ManagedState: Sendable, Equatable {
  /// The managed file of a domain.
  struct File: Sendable, Equatable {
    /// The hashes of the contents that the file has, or has and is to get: contents of other hashes
    /// were not written by the replica.
    var hashes: [String] = []
    /// Whether the file stays though the remote store has no keys of the domain.
    var isKept = false

    /// Adds the hash of contents that the file is to get.
    mutating func add(_ hash: String) {
      if hashes.contains(hash) { return }
      hashes.append(hash)
      // While the file cannot be written it has the first contents or one of the last.
      if hashes.count > 8 { hashes.remove(at: 1) }
    }
  }

  /// An entry of the remote store, without its data.
  struct Entry: Sendable, Equatable {
    var key: String
    var revision: Int64
    /// The hash of the data.
    var hash: String

  }

  /// The last revision of the remote store that was seen.
  var revision: Int64 = 0
  /// The entry that was put last; nil if none is known. A store without it at the last revision is not
  /// the one that was seen.
  var newestEntry: Entry?
  /// The files that the replica has written.
  var files: [ByteKey: File] = [:]

  /// The hash of the contents of a file.
  static func hash(_ data: Data) -> String { String(FNV1a.hash(data), radix: 16) }
}

extension ManagedState {
  private enum Name {
    static let revision = "revision"
    static let newestEntry = "newest"
    static let key = "key"
    static let hash = "hash"
    static let files = "domains"
    static let hashes = "hashes"
    static let isKept = "kept"
  }

  /// The keys of the state file.
  static let keys = [Name.revision, Name.newestEntry, Name.files]

  /// Decodes the values of a state file. Entries of other types count as missing, so that a file
  /// that belongs to such an entry is left alone.
  init(_ values: PlistDictionary) {
    if case .integer(let number)? = values[Name.revision] { revision = number }
    if case .dictionary(let entry)? = values[Name.newestEntry],
      case .string(let key)? = entry[Name.key], case .integer(let revision)? = entry[Name.revision],
      case .string(let hash)? = entry[Name.hash]
    {
      newestEntry = Entry(key: key, revision: revision, hash: hash)
    }
    guard case .dictionary(let entries)? = values[Name.files] else { return }
    for (domain, entry) in entries {
      guard case .dictionary(let entry) = entry, case .array(let hashes)? = entry[Name.hashes]
      else { continue }
      files[ByteKey(domain)] = File(
        hashes: hashes.compactMap { if case .string(let hash) = $0 { hash } else { nil } },
        isKept: entry[Name.isKept] == true)
    }
  }

  /// Puts the state among the values of the state file.
  func encode(to values: inout PlistDictionary) {
    values[Name.revision] = .integer(revision)
    values[Name.newestEntry] = newestEntry.map { entry in
      .dictionary([
        Name.key: .string(entry.key), Name.revision: .integer(entry.revision),
        Name.hash: .string(entry.hash),
      ])
    }
    var entries = PlistDictionary()
    for (domain, file) in files {
      var entry: PlistDictionary = [Name.hashes: .array(file.hashes.map { .string($0) })]
      if file.isKept { entry[Name.isKept] = true }
      entries[domain.text] = .dictionary(entry)
    }
    values[Name.files] = .dictionary(entries)
  }
}

extension ManagedState.Entry {
  init(_ entry: RemoteEntry) {
    self.init(
      key: entry.key, revision: entry.revision, hash: ManagedState.hash(entry.data))
  }
}
