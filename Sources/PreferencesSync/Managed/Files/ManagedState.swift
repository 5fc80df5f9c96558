internal import FileStorage
internal import FoundationEssentials
internal import Preferences
internal import PropertyList

/// The knowledge of a replica from earlier runs, in its state file.
struct ManagedState: Sendable, Equatable {
  /// The managed file of a domain.
  struct File: Sendable, Equatable, Codable {
    /// The hashes of the contents that the file has or will get. The replica did not write contents
    /// with other hashes.
    var hashes: [String] = []
    /// Whether the file stays although the remote store has no keys of the domain.
    var isKept: Bool {
      get { kept == true }
      set { kept = newValue ? true : nil }
    }
    private var kept: Bool?

    /// Adds the hash of contents that the file will get.
    mutating func add(_ hash: String) {
      if hashes.contains(hash) { return }
      hashes.append(hash)
      // While the file cannot be written, it has the first of these contents or one of the last.
      if hashes.count > 8 { hashes.remove(at: 1) }
    }
  }

  /// An entry of the remote store, without its data.
  struct Entry: Sendable, Equatable, Codable {
    var key: String
    var revision: Int64
    /// The hash of the data.
    var hash: String
  }

  /// The last revision of the remote store that was seen.
  var revision: Int64 = 0
  /// The entry that was put last; nil if none is known. A store that does not have this entry at
  /// the last revision is a different store.
  var newestEntry: Entry?
  /// The files that the replica has written.
  var files: [ByteKey: File] = [:]

  /// The hash of the contents of a file.
  static func hash(_ data: Data) -> String { String(StableHash.hash(data), radix: 16) }
}

extension ManagedState {
  private enum Name {
    static let revision = "revision"
    static let newestEntry = "newest"
    static let files = "domains"
  }

  static let keys = [Name.revision, Name.newestEntry, Name.files]

  /// Decodes the values of a state file. Entries of other types are treated as missing, so that the
  /// file of such an entry is left alone.
  init(_ values: PlistDictionary) {
    let decoder = PlistDecoder()
    if case .integer(let number)? = values[Name.revision] { revision = number }
    newestEntry = values[Name.newestEntry].flatMap { try? decoder.decode(Entry.self, from: $0) }
    guard case .dictionary(let entries)? = values[Name.files] else { return }
    for (domain, entry) in entries {
      files[ByteKey(domain)] = try? decoder.decode(File.self, from: entry)
    }
  }

  /// Puts the state among the values of the state file.
  func encode(to values: inout PlistDictionary) {
    let encoder = PlistEncoder()
    values[Name.revision] = .integer(revision)
    values[Name.newestEntry] = newestEntry.flatMap { try? encoder.encodeToValue($0) }
    var entries = PlistDictionary()
    for (domain, file) in files { entries[domain.text] = try? encoder.encodeToValue(file) }
    values[Name.files] = .dictionary(entries)
  }
}

extension ManagedState.Entry {
  init(_ entry: RemoteEntry) {
    self.init(
      key: entry.key, revision: entry.revision, hash: ManagedState.hash(entry.data))
  }
}
