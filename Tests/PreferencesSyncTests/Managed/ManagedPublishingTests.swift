import Foundation
import PreferencesSync
import PreferencesSyncTesting
import PropertyList
import Testing

@Suite("An administrator publishes managed keys")
struct ManagedPublishingTests {
  private let app = "org.example.app"

  @Test("A domain gets exactly the keys that are published, in one call, and others keep theirs")
  func changes() async throws {
    let remote = InMemoryRemoteStore()
    try await remote.publish(["other": 1], "org.example.other")
    var changes = try await remote.publish(["a": 1, "b": 2, "c": 3])
    #expect(changes.added == ["a", "b", "c"])
    changes = try await remote.publish(["a": 1, "b": 3, "d": ["x": 1]])
    #expect(changes.added == ["d"])
    #expect(changes.changed == ["b"])
    #expect(changes.removed == ["c"])
    #expect(changes.unchangedCount == 1)
    #expect(remote.counts.batches == 3)
    #expect(try remote.value("\(app)/b") == 3)
    #expect(try remote.value("\(app)/c") == nil)
    #expect(try remote.value("org.example.other/other") == 1)
    // Publishing the same again writes nothing.
    changes = try await remote.publish(["a": 1, "b": 3, "d": ["x": 1]])
    #expect(changes.isEmpty && changes.unchangedCount == 3)
    #expect(remote.counts.batches == 3)
  }

  @Test("Values of other types are other values")
  func types() async throws {
    let remote = InMemoryRemoteStore()
    try await remote.publish(["k": 1])
    #expect(try await remote.publish(["k": true]).changed == ["k"])
    #expect(try await remote.publish(["k": 1.0]).changed == ["k"])
    #expect(try await remote.publish(["k": 1.0]).isEmpty)
  }

  @Test("A conflict and a rejection say which key it is, and a failure can be repeated")
  func failures() async throws {
    let remote = InMemoryRemoteStore()
    try await remote.publish(["a": 1])
    remote.intercept { [app] point in
      guard point == .beforePut("\(app)/a") else { return }
      remote.intercept(nil)
      try await remote.put(Data([1]), forKey: "\(app)/a")
    }
    await #expect(throws: ManagedPreferencesError.conflict(domain: app, key: "a")) {
      try await remote.publish(["a": 2, "b": 2])
    }
    remote.intercept { point in
      if case .beforePut = point { throw InMemoryRemoteStore.Rejection(reason: "too large") }
    }
    await #expect {
      try await remote.publish(["a": 3])
    } throws: {
      "\($0)" == "the remote store rejected the value of the key a of org.example.app: too large"
    }
    remote.intercept(nil)
    remote.isReachable = false
    await #expect {
      try await remote.publish(["a": 3])
    } throws: {
      "\($0)" == "the remote store cannot be reached"
    }
    remote.isReachable = true
    try await remote.publish(["a": 3])
    #expect(try remote.value("\(app)/a") == 3)
    #expect(try remote.value("\(app)/b") == nil)
  }

  @Test("A value that preferences cannot hold is refused")
  func unsupported() async throws {
    let remote = InMemoryRemoteStore()
    await #expect {
      try await remote.publish(["a": .null])
    } throws: {
      "\($0)".hasPrefix("the managed ")
    }
    #expect(remote.counts.batches == 0)
  }
}
