import FoundationEssentials
import PreferencesSync

extension RemoteStoreContract {
  /// The next entries of a stream.
  private func take(
    _ count: Int, after revision: Int64
  ) async throws -> [RemoteEntry] {
    var taken: [RemoteEntry] = []
    if count == 0 { return [] }
    for try await entry in store.changes(after: revision) {
      taken.append(entry)
      if taken.count == count { return taken }
    }
    throw ContractViolation("the stream ended after \(taken.count) entries without an error")
  }

  func past() async throws {
    let before = try await put("0", forKey: "before")
    var expected: [RemoteEntry] = []
    for number in 1...5 { expected.append(try await put("\(number)", forKey: "k\(number)")) }
    try require(try await take(5, after: before.revision), is: expected, "from the first on")
    try require(
      try await take(2, after: expected[2].revision), is: Array(expected[3...]),
      "from the third on")
  }

  func future() async throws {
    let start = try await store.entries().revision
    async let taken = take(20, after: start)
    var expected: [RemoteEntry] = []
    for number in 0..<20 { expected.append(try await put("\(number)", forKey: "k\(number)")) }
    try require(try await taken, is: expected, "the stream")
  }

  func gap() async throws {
    let count = 60
    async let puts: Void = {
      for number in 0..<count { try await put("\(number)", forKey: "k\(number)") }
    }()
    // Several times at any point of the puts.
    for _ in 0..<4 {
      let snapshot = try await store.entries()
      let rest = try await take(count - snapshot.entries.count, after: snapshot.revision)
      try require(rest.map(\.revision), is: rest.map(\.revision).sorted(), "the order")
      let keys = (snapshot.entries + rest).map(\.key)
      try require(Set(keys).count == count, "\(keys.count) entries of \(Set(keys).count) keys")
    }
    try await puts
  }

  func latest() async throws {
    var entry = try await put("0", forKey: "k")
    let start = entry.revision
    for number in 1...5 {
      entry = try await put("\(number)", forKey: "k", replacing: entry.revision)
    }
    var last: Int64 = start
    for try await found in store.changes(after: start) {
      try require(found.key, is: "k", "the key")
      try require(found.revision > last, "revision \(found.revision) after \(last)")
      last = found.revision
      if found == entry { return }
    }
    throw ContractViolation("the stream ended without an error")
  }

  func cancellation() async throws {
    let start = try await store.entries().revision
    let (begun, signal) = AsyncStream<Void>.makeStream()
    let listening = Task {
      for try await _ in store.changes(after: start) { signal.yield() }
    }
    try await put("1", forKey: "k")
    for await _ in begun { break }
    listening.cancel()
    _ = await listening.result
  }

  func loss() async throws {
    let first = try await put("1", forKey: "k")
    let listening = Task {
      for try await _ in store.changes(after: first.revision) {}
      throw ContractViolation("the stream ended without an error")
    }
    try await setReachable(false)
    if case .failure(let error as ContractViolation) = await listening.result { throw error }
    do {
      _ = try await store.entries()
      throw ContractViolation("entries of a store that cannot be reached")
    } catch let violation as ContractViolation {
      throw violation
    } catch {}
    do {
      _ = try await store.put(Data(), forKey: "k", replacing: first.revision)
      throw ContractViolation("a put to a store that cannot be reached")
    } catch let violation as ContractViolation {
      throw violation
    } catch {}
    try await setReachable(true)
    try require(try await all(), is: [first], "entries")
    try await put("2", forKey: "k", replacing: first.revision)
  }

  func resumption() async throws {
    var expected: [RemoteEntry] = []
    for number in 0..<5 { expected.append(try await put("\(number)", forKey: "k\(number)")) }
    var found: [RemoteEntry] = []
    do {
      for try await entry in store.changes(after: expected[0].revision - 1) {
        found.append(entry)
        if found.count == 3 { try await setReachable(false) }
      }
      throw ContractViolation("the stream ended without an error")
    } catch let violation as ContractViolation {
      throw violation
    } catch {}
    try await setReachable(true)
    for number in 5..<10 { expected.append(try await put("\(number)", forKey: "k\(number)")) }
    if let last = found.last, found.count < expected.count {
      found += try await take(expected.count - found.count, after: last.revision)
    }
    try require(found, is: expected, "both streams")
  }
}
