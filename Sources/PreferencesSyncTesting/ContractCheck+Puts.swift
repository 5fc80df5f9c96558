import FoundationEssentials
import PreferencesSync

/// The clauses about entries and puts.
extension ContractCheck {
  func startsEmpty() async throws {
    try require(try await sortedEntries(), is: [], "entries")
  }

  func creation() async throws {
    let first = try await put("1", forKey: "k")
    try require(
      try await store.put(Data("2".utf8), forKey: "k", replacing: 0),
      is: .conflict(current: first), "second creation")
    try require(try await sortedEntries(), is: [first], "entries")
    let other = try await put("3", forKey: "other")
    try requireAscending(first, other)
    let snapshot = try await store.entries()
    try require(
      snapshot.revision >= other.revision,
      "revision \(snapshot.revision) of the snapshot; expected at least \(other.revision)")
    try require(snapshot.entries.count, is: 2, "number of entries")
  }

  func replacement() async throws {
    let first = try await put("1", forKey: "k")
    let other = try await put("1", forKey: "other")
    let second = try await put("2", forKey: "k", replacing: first.revision)
    // A put of the same data gets a new revision, too.
    let third = try await put("2", forKey: "k", replacing: second.revision)
    try requireAscending(other, second)
    try requireAscending(second, third)
    try require(try await sortedEntries(), is: [third, other], "entries")
  }

  func conflict() async throws {
    try require(
      try await store.put(Data(), forKey: "k", replacing: 1), is: .conflict(current: nil),
      "replacement of a missing entry")
    let first = try await put("1", forKey: "k")
    let second = try await put("2", forKey: "k", replacing: first.revision)
    let other = try await put("1", forKey: "other")
    for revision in [first.revision, other.revision, second.revision + 1000, -1] {
      try require(
        try await store.put(Data("3".utf8), forKey: "k", replacing: revision),
        is: .conflict(current: second), "replacement of revision \(revision)")
    }
    try require(try await sortedEntries(), is: [second, other], "entries")
  }

  func exactBytes() async throws {
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
      else { throw violation("the store takes the key \(key) for another one") }
      expected.append(RemoteEntry(key: key, data: data, revision: revision))
    }
    let found = try await store.entries().entries.sorted { $0.revision < $1.revision }
    try require(found == expected, "entries differ: \(found.map(\.key))")
    // Equal strings may differ in their bytes.
    let keyBytes = found.map { Array($0.key.utf8) }
    try require(keyBytes == keys.map { Array($0.utf8) }, "keys differ: \(found.map(\.key))")
  }

  func concurrentPuts() async throws {
    try await put("0", forKey: "count")
    let rounds = 10
    let tasks = 4
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<tasks {
        group.addTask {
          for _ in 0..<rounds { try await incrementCount() }
        }
      }
      try await group.waitForAll()
    }
    try require(
      try await sortedEntries().map { String(decoding: $0.data, as: UTF8.self) },
      is: ["\(rounds * tasks)"], "count after concurrent increments")
  }

  private func incrementCount() async throws {
    guard var entry = try await sortedEntries().first else { throw violation("no entry") }
    while true {
      let count = Int(String(decoding: entry.data, as: UTF8.self)) ?? -1
      let data = Data("\(count + 1)".utf8)
      switch try await store.put(data, forKey: "count", replacing: entry.revision) {
      case .stored: return
      case .conflict(let current?): entry = current
      case .conflict(nil): throw violation("the entry has disappeared")
      }
    }
  }

  private func requireAscending(_ earlier: RemoteEntry, _ later: RemoteEntry) throws {
    try require(
      later.revision > earlier.revision,
      "revision \(later.revision); expected one greater than \(earlier.revision)")
  }
}
