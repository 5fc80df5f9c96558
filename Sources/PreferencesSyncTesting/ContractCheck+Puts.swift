import FoundationEssentials
import PreferencesSync

extension RemoteStoreContract {
  /// Puts bytes, which must take place.
  ///
  /// - Returns: The entry.
  @discardableResult
  func put(
    _ text: String, forKey key: String, replacing revision: Int64 = 0
  ) async throws -> RemoteEntry {
    let data = Data(text.utf8)
    let result = try await store.put(data, forKey: key, replacing: revision)
    guard case .stored(let new) = result else {
      throw ContractViolation("a put that had to take place: \(result)")
    }
    try require(new > max(revision, 0), "revision \(new) after \(revision)")
    return RemoteEntry(key: key, data: data, revision: new)
  }

  /// The entries by key.
  func all() async throws -> [RemoteEntry] {
    try await store.entries().entries.sorted {
      Array($0.key.utf8).lexicographicallyPrecedes(Array($1.key.utf8))
    }
  }

  func empty() async throws {
    try require(try await all(), is: [], "entries")
  }

  func creation() async throws {
    let first = try await put("1", forKey: "k")
    try require(
      try await store.put(Data("2".utf8), forKey: "k", replacing: 0), is: .refused(first),
      "a second creation")
    try require(try await all(), is: [first], "entries")
    let other = try await put("3", forKey: "other")
    try require(other.revision > first.revision, "revisions have to grow")
    let snapshot = try await store.entries()
    try require(snapshot.revision >= other.revision, "the snapshot's revision is too small")
    try require(snapshot.entries.count, is: 2, "number of entries")
  }

  func replacement() async throws {
    let first = try await put("1", forKey: "k")
    let other = try await put("1", forKey: "other")
    let second = try await put("2", forKey: "k", replacing: first.revision)
    // Also with the same bytes.
    let third = try await put("2", forKey: "k", replacing: second.revision)
    try require(second.revision > other.revision, "revisions have to grow")
    try require(third.revision > second.revision, "revisions have to grow")
    try require(try await all(), is: [third, other], "entries")
  }

  func refusal() async throws {
    try require(
      try await store.put(Data(), forKey: "k", replacing: 1), is: .refused(nil),
      "a replacement of nothing")
    let first = try await put("1", forKey: "k")
    let second = try await put("2", forKey: "k", replacing: first.revision)
    let other = try await put("1", forKey: "other")
    for revision in [first.revision, other.revision, second.revision + 1000, -1] {
      try require(
        try await store.put(Data("3".utf8), forKey: "k", replacing: revision),
        is: .refused(second), "a replacement of revision \(revision)")
    }
    try require(try await all(), is: [second, other], "entries")
  }

  func bytes() async throws {
    let keys = [
      "", " ", "/", "a/b", "a", "a\0b", "\u{E9}", "e\u{301}", "\u{1F600}",
      String(repeating: "k", count: 1000),
    ]
    let contents = [Data(), Data(0...255), Data(repeating: 0, count: 300_000), Data([0xFF, 0xFE])]
    var expected: [RemoteEntry] = []
    for (number, key) in keys.enumerated() {
      let data = contents[number % contents.count]
      guard
        case .stored(let revision) = try await store.put(data, forKey: key, replacing: 0)
      else { throw ContractViolation("the key \(key) is another one's") }
      expected.append(RemoteEntry(key: key, data: data, revision: revision))
    }
    let found = try await store.entries().entries.sorted { $0.revision < $1.revision }
    try require(found == expected, "entries differ: \(found.map(\.key))")
    let keyBytes = found.map { Array($0.key.utf8) }
    try require(keyBytes == keys.map { Array($0.utf8) }, "keys differ: \(found.map(\.key))")
  }

  func counting() async throws {
    try await put("0", forKey: "count")
    let rounds = 10
    let tasks = 4
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<tasks {
        group.addTask {
          for _ in 0..<rounds { try await addOne() }
        }
      }
      try await group.waitForAll()
    }
    try require(
      try await all().map { String(decoding: $0.data, as: UTF8.self) },
      is: ["\(rounds * tasks)"], "the count")
  }

  private func addOne() async throws {
    guard var entry = try await all().first else { throw ContractViolation("no entry") }
    while true {
      let count = Int(String(decoding: entry.data, as: UTF8.self)) ?? -1
      let data = Data("\(count + 1)".utf8)
      switch try await store.put(data, forKey: "count", replacing: entry.revision) {
      case .stored: return
      case .refused(let present?): entry = present
      case .refused(nil): throw ContractViolation("the entry has gone")
      }
    }
  }
}
