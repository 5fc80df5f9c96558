import FoundationEssentials
import PreferencesSync

/// The clauses about streams and connections.
extension ContractCheck {
  func pastChanges() async throws {
    let before = try await put("0", forKey: "before")
    var expected: [RemoteEntry] = []
    for number in 1...5 { expected.append(try await put("\(number)", forKey: "k\(number)")) }
    try require(
      try await changes(after: before.revision, count: 5), is: expected,
      "entries from the first on")
    try require(
      try await changes(after: expected[2].revision, count: 2), is: Array(expected[3...]),
      "entries after the third")
  }

  func liveChanges() async throws {
    let start = try await store.entries().revision
    async let found = changes(after: start, count: 20)
    var expected: [RemoteEntry] = []
    for number in 0..<20 { expected.append(try await put("\(number)", forKey: "k\(number)")) }
    try require(try await found, is: expected, "entries of the stream")
  }

  func continuity() async throws {
    let count = 60
    async let puts: Void = {
      for number in 0..<count { try await put("\(number)", forKey: "k\(number)") }
    }()
    // Each snapshot falls at some point between the puts.
    for _ in 0..<4 {
      let snapshot = try await store.entries()
      let rest = try await changes(
        after: snapshot.revision, count: count - snapshot.entries.count)
      try require(
        rest.map(\.revision), is: rest.map(\.revision).sorted(), "revisions of the stream")
      let keys = (snapshot.entries + rest).map(\.key)
      try require(
        Set(keys).count == count,
        "\(keys.count) entries of \(Set(keys).count) keys; expected one of each of \(count) keys")
    }
    try await puts
  }

  func latestChange() async throws {
    var entry = try await put("0", forKey: "k")
    let start = entry.revision
    for number in 1...5 {
      entry = try await put("\(number)", forKey: "k", replacing: entry.revision)
    }
    try await updates(after: start) { update in
      try require(update.entries.allSatisfy { $0.key == "k" }, "keys of \(update.entries)")
      return !update.entries.contains(entry)
    }
  }

  func removedChange() async throws {
    let first = try await put("1", forKey: "k")
    let other = try await put("1", forKey: "other")
    guard
      case .stored(let removal) = try await store.removeEntry(
        forKey: "k", replacing: first.revision)
    else { throw violation("the entry was not removed") }
    try await updates(after: other.revision) { update in
      try require(update.entries, is: [], "entries")
      if update.removedKeys.isEmpty { return true }
      try require(update.removedKeys, is: ["k"], "removed keys")
      try require(update.revision, is: removal, "revision of the removal")
      return false
    }
    // The stream may or may not report the removal, but at its end the key exists.
    let second = try await put("2", forKey: "k")
    var isRemoved = false
    try await updates(after: other.revision) { update in
      if update.removedKeys == ["k"] { isRemoved = true }
      if update.entries.contains(where: { $0.key == "k" }) { isRemoved = false }
      return !update.entries.contains(second)
    }
    try require(!isRemoved, "the key is removed by an update with its last put")
  }

  func contact() async throws {
    // A store need not know its latest contact.
    let start = ContinuousClock.now
    _ = try await store.entries()
    guard let first = store.latestContact else { return }
    try require(first.instant >= start, "the contact is older than the first call")
    let second = ContinuousClock.now
    try await put("1", forKey: "k")
    guard let contact = store.latestContact else { throw violation("the contact is gone") }
    try require(contact.instant >= second, "the contact is older than the last call")
    try require(contact.instant <= .now, "the contact lies in the future")
    try require(
      contact.endpoint?.isEmpty != true && contact.endpoint?.contains("\n") != true,
      "the endpoint is not one line of text")
  }

  func cancellation() async throws {
    let start = try await store.entries().revision
    let (received, signal) = AsyncStream<Void>.makeStream()
    let iteration = Task {
      for try await _ in store.changes(after: start) { signal.yield() }
    }
    try await put("1", forKey: "k")
    for await _ in received { break }
    iteration.cancel()
    _ = await iteration.result
  }

  func unreachability() async throws {
    let first = try await put("1", forKey: "k")
    let iteration = Task {
      for try await _ in store.changes(after: first.revision) {}
    }
    try await setReachable(false)
    try await requireFailure(of: "the stream") {
      // The time limit of a test cancels the check, and with it the iteration.
      try await withTaskCancellationHandler {
        try await iteration.value
      } onCancel: {
        iteration.cancel()
      }
    }
    try await requireFailure(of: "entries()") { _ = try await store.entries() }
    try await requireFailure(of: "put") {
      _ = try await store.put(Data(), forKey: "k", replacing: first.revision)
    }
    try await setReachable(true)
    try require(try await sortedEntries(), is: [first], "entries")
    try await put("2", forKey: "k", replacing: first.revision)
  }

  func resumption() async throws {
    var expected: [RemoteEntry] = []
    for number in 0..<5 { expected.append(try await put("\(number)", forKey: "k\(number)")) }
    var found: [RemoteEntry] = []
    var last = expected[0].revision - 1
    try await requireFailure(of: "the stream") {
      for try await update in store.changes(after: last) {
        found += update.entries
        last = update.revision
        if found.count >= 3 { try await setReachable(false) }
      }
    }
    try await setReachable(true)
    for number in 5..<10 { expected.append(try await put("\(number)", forKey: "k\(number)")) }
    found += try await changes(after: last, count: expected.count - found.count)
    try require(found, is: expected, "entries of both streams")
  }
}
