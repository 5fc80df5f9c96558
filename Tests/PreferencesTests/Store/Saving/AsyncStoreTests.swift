import Foundation
import PropertyList
import Synchronization
import TestSupport
import Testing

@testable import Preferences

@Suite("Calls that tasks wait for", .timeLimit(.minutes(5)))
struct AsyncStoreTests {
  let folder: TemporaryFolder
  let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path("k.plist")
  }

  @Test("Everything that blocks a thread can be awaited")
  func all() async throws {
    let store = try await PreferencesStore.open(fileAt: path)
    store.set(1, forKey: "a")
    try await store.flush()
    #expect(try Plist.read(folder.data("k.plist")).value == ["a": 1])
    let count = try await store.update { values in
      values["b"] = 2
      return values.count
    }
    #expect(count == 2)
    try await store.export(to: folder.path("copy.plist"))
    #expect(try Plist.read(folder.data("copy.plist")).value == ["a": 1, "b": 2])
    try await store.update { $0 = [:] }
    try await store.import(from: URL(filePath: folder.path("copy.plist")))
    #expect(try Plist.read(folder.data("k.plist")).value == ["a": 1, "b": 2])
    try Plist.write(["c": 3], as: .xml).write(to: URL(filePath: path), options: .atomic)
    // Foundation's call, which blocks.
    #expect(store.synchronize())
    #expect(await store.synchronize(within: .seconds(10)))
    #expect(store.plistRepresentation == ["c": 3])
    try Data("bad".utf8).write(to: URL(filePath: path), options: .atomic)
    await store.synchronize(within: .seconds(10))
    let kept = try #require(try await store.recover())
    #expect(try Data(contentsOf: URL(filePath: kept)) == Data("bad".utf8))
    store.set(4, forKey: "d")
    // Other tests have stores that cannot be saved.
    try? await PreferencesStore.flushAll(timeout: .seconds(1))
    #expect(try await eventually { try Plist.read(folder.data("k.plist")).value == ["d": 4] })
  }

  @Test("Opening a domain reads its files, and tells of a bad name")
  func open() async throws {
    var options = PreferencesStore.Options()
    options.locations = DomainLocations(within: folder.path as String)
    options.arguments = []
    let store = try await PreferencesStore.open(domain: "org.example.app", options: options)
    #expect(store.user.isOpen)
    await #expect(throws: PreferencesError.invalidDomainName("a/b")) {
      _ = try await PreferencesStore.open(domain: "a/b")
    }
  }

  @Test("The errors are those of the calls that block, also one of the closure")
  func errors() async throws {
    let store = PreferencesStore(fileAt: path)
    await #expect(throws: Refusal()) { try await store.update { _ in throw Refusal() } }
    try folder.write("bad", to: "k.plist")
    let other = PreferencesStore(fileAt: folder.path("k.plist"))
    await #expect(throws: PreferencesError.self) { try await other.update { $0["a"] = 1 } }
    await #expect(throws: PreferencesError.self) {
      try await other.export(to: folder.path("none/copy.plist"))
    }
  }

  @Test("Two hundred tasks that wait for a lock keep no other task from running")
  func manyTasks() async throws {
    let store = PreferencesStore(fileAt: path)
    try await store.update { $0["count"] = 0 }
    let locks = LockHolder()
    try locks.lock(path)
    try await withThrowingTaskGroup { group in
      for _ in 0..<200 {
        group.addTask {
          try await store.update(timeout: .seconds(240)) { values in
            guard case .integer(let count)? = values["count"] else { return }
            values["count"] = .integer(count + 1)
          }
        }
      }
      // They run while all of the others wait.
      for _ in 0..<100 {
        await Task.yield()
        try await Task.detached { try await Task.sleep(for: .milliseconds(1)) }.value
      }
      #expect(store.integer(forKey: "count") == 0)
      locks.release()
      try await group.waitForAll()
    }
    #expect(store.integer(forKey: "count") == 200)
  }

  @Test("A task that is canceled stops waiting for a lock, and changes nothing")
  func cancellation() async throws {
    let store = PreferencesStore(fileAt: path)
    try await store.update { $0["k"] = 1 }
    let locks = LockHolder()
    try locks.lock(path)
    let tasks = (0..<3).map { _ in
      Task { try await store.update(timeout: .seconds(600)) { $0["k"] = 2 } }
    }
    try await Task.sleep(for: .milliseconds(20))
    for task in tasks { task.cancel() }
    for task in tasks {
      await #expect(throws: CancellationError.self) { try await task.value }
    }
    locks.release()
    #expect(try await store.update { $0["k"] } == 1)
  }

  @Test("A task that is canceled before its call makes none")
  func canceledBefore() async throws {
    let store = PreferencesStore(fileAt: path)
    let isCalled = Latch()
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await store.update { _ in isCalled.open() }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(!isCalled.isOpen)
  }

  @Test("A task receives the events of stores in order")
  func sequence() async throws {
    try folder.write("bad", to: "k.plist")
    // Other tests cause events as well.
    let events = PreferencesStore.events(buffering: .max)
    let store = PreferencesStore(fileAt: path)
    #expect(store.string(forKey: "k") == nil)
    try Plist.write(["k": "v"], as: .xml).write(to: URL(filePath: path), options: .atomic)
    await store.synchronize(within: .seconds(10))
    var names: [String] = []
    for await event in events where event.path == path {
      names.append(event.name)
      if names.count == 2 { break }
    }
    #expect(names == ["readFailure", "readRecovery"])
  }
}
