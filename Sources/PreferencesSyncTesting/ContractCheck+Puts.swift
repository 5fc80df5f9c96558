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
    // A put of the same data also gets a new revision.
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

  func removal() async throws {
    let other = try await put("1", forKey: "other")
    let first = try await put("1", forKey: "k")
    try require(
      try await store.removeEntry(forKey: "k", replacing: other.revision),
      is: .conflict(current: first), "removal of another revision")
    try require(
      try await store.removeEntry(forKey: "none", replacing: first.revision),
      is: .conflict(current: nil), "removal of a missing entry")
    try require(try await store.entry(forKey: "k", at: nil), is: first, "single entry")
    try require(try await store.entry(forKey: "none", at: nil), is: nil, "missing single entry")
    guard
      case .stored(let revision) = try await store.removeEntry(
        forKey: "k", replacing: first.revision)
    else { throw violation("the entry was not removed") }
    try require(
      revision > first.revision,
      "revision \(revision) of the removal; expected one greater than \(first.revision)")
    do {
      try require(
        try await store.entry(forKey: "k", at: first.revision), is: first,
        "entry before the removal")
    } catch RemoteStoreError.revisionCompacted {
      // A store need not know earlier revisions.
    }
    let snapshot = try await store.entries()
    try require(snapshot.entries, is: [other], "entries after the removal")
    try require(
      snapshot.revision >= revision,
      "revision \(snapshot.revision) of the snapshot; expected at least \(revision)")
    try require(
      try await store.put(Data(), forKey: "k", replacing: first.revision),
      is: .conflict(current: nil), "replacement of the removed entry")
    let second = try await put("2", forKey: "k")
    try require(
      second.revision > revision,
      "revision \(second.revision); expected one greater than \(revision)")
  }

  func batch() async throws {
    let first = try await put("1", forKey: "first")
    let second = try await put("1", forKey: "second")
    let third = try await put("1", forKey: "third")
    let results = try await store.apply([
      RemoteChange(key: "first", data: Data("2".utf8), replacing: first.revision),
      RemoteChange(key: "second", data: nil, replacing: second.revision),
      RemoteChange(key: "third", data: Data("2".utf8), replacing: first.revision),
      RemoteChange(key: "fourth", data: Data("2".utf8), replacing: 0),
      RemoteChange(key: "fifth", data: nil, replacing: first.revision),
      // Changes of the same key follow one another.
      RemoteChange(key: "second", data: Data("3".utf8), replacing: 0),
      RemoteChange(key: "third", data: nil, replacing: third.revision),
    ])
    try require(results.count, is: 7, "number of results")
    let stored = results.map { result -> Int64? in
      if case .stored(let revision) = result { revision } else { nil }
    }
    guard let one = stored[0], stored[1] != nil, let four = stored[3], let two = stored[5],
      stored[6] != nil
    else { throw violation("results \(results); expected the others to be stored") }
    try require(results[2], is: .conflict(current: third), "change of another revision")
    try require(results[4], is: .conflict(current: nil), "removal of a missing entry")
    try require(
      try await sortedEntries(),
      is: [
        RemoteEntry(key: "first", data: Data("2".utf8), revision: one),
        RemoteEntry(key: "fourth", data: Data("2".utf8), revision: four),
        RemoteEntry(key: "second", data: Data("3".utf8), revision: two),
      ], "entries")
    try require(try await store.apply([]), is: [], "results of no changes")
  }

  func largeBatch() async throws {
    let start = try await store.entries().revision
    let count = 1000
    let keys = (0..<count).map { "k\($0)" }
    let results = try await store.apply(
      keys.enumerated().map { number, key in
        RemoteChange(
          key: key, data: Data(repeating: UInt8(number % 256), count: 3000), replacing: 0)
      })
    try require(results.count, is: count, "number of results")
    var expected: [RemoteEntry] = []
    for (number, result) in results.enumerated() {
      guard case .stored(let revision) = result else {
        throw violation("change \(number) of \(count): \(result); expected stored")
      }
      expected.append(
        RemoteEntry(
          key: keys[number], data: Data(repeating: UInt8(number % 256), count: 3000),
          revision: revision))
    }
    let order: (RemoteEntry, RemoteEntry) -> Bool = {
      $0.key.utf8.lexicographicallyPrecedes($1.key.utf8)
    }
    let sorted = expected.sorted(by: order)
    try require(try await sortedEntries() == sorted, "entries differ from those of the batch")
    let streamed = try await changes(after: start, count: count)
    try require(
      streamed.sorted(by: order) == sorted, "entries of the stream differ from those of the batch")
  }

  func transaction() async throws {
    // A store need not have parts.
    guard let whole = store as? any PartitionedRemoteStore else { return }
    let (values, other) = (whole.partition("values/"), whole.partition("other/"))
    func put(
      _ text: String, _ changes: (key: String, revision: Int64)..., over mark: Int64
    ) async throws -> [RemoteChangeResult]? {
      let data = Data(text.utf8)
      let changes = changes.map { RemoteChange(key: $0.key, data: data, replacing: $0.revision) }
      let change = RemoteChange(key: "mark", data: data, replacing: mark)
      return try await values.apply(changes, with: change, of: other)
    }
    // A store need not be able to make the changes together.
    guard let created = try await put("1", ("a", 0), ("b", 0), over: 0) else {
      return try require(try await sortedEntries(), is: [], "entries")
    }
    guard created.count == 3, case .stored(let a) = created[0], case .stored(let b) = created[1],
      case .stored(let mark) = created[2]
    else { throw violation("results \(created); expected three to be stored") }
    func entry(_ key: String, _ revision: Int64) -> RemoteEntry {
      RemoteEntry(key: key, data: Data("1".utf8), revision: revision)
    }
    let first = [entry("other/mark", mark), entry("values/a", a), entry("values/b", b)]
    try require(try await sortedEntries(), is: first, "entries")
    let present = [entry("a", a), entry("b", b), entry("mark", mark)].map {
      RemoteChangeResult.conflict(current: $0)
    }
    let (before, later) = (try await store.entries().revision, b + 1000)
    try require(try await put("2", ("a", a), ("b", later), over: mark), is: present, "results")
    try require(try await put("2", ("a", a), ("b", b), over: 0), is: present, "results")
    try require(try await sortedEntries(), is: first, "entries after conflicts")
    try require(try await store.entries().revision, is: before, "revision after conflicts")
    guard case .stored? = try await put("3", ("a", a), ("b", b), over: mark)?.last else {
      throw violation("changes of present entries were not made")
    }
    let found = try await sortedEntries().map { String(decoding: $0.data, as: UTF8.self) }
    try require(found, is: ["3", "3", "3"], "data")
    let foreign = try await values.apply(
      [RemoteChange(key: "c", data: Data(), replacing: 0)],
      with: RemoteChange(key: "c", data: Data(), replacing: 0), of: ForeignStore())
    try require(foreign, is: nil, "result with a part of a different store")
  }

  private struct ForeignStore: RemoteStore {
    func entries() async throws -> RemoteSnapshot { RemoteSnapshot(entries: [], revision: 0) }

    func apply(_ changes: [RemoteChange]) async throws -> [RemoteChangeResult] { [] }

    func changes(after revision: Int64) -> AsyncThrowingStream<RemoteUpdate, any Error> {
      AsyncThrowingStream { nil }
    }
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
      case .rejected(let reason): throw violation("the store rejected a number: \(reason)")
      }
    }
  }

  private func requireAscending(_ earlier: RemoteEntry, _ later: RemoteEntry) throws {
    try require(
      later.revision > earlier.revision,
      "revision \(later.revision); expected one greater than \(earlier.revision)")
  }
}
