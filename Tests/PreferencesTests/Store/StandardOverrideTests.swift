import Foundation
import PropertyList
import TestSupport
import Testing

import Threading
@testable import Preferences

@Suite("A store instead of the standard one", .timeLimit(.minutes(5)))
struct StandardOverrideTests {
  @Test("is the standard one for a closure and what it awaits", arguments: 0..<16)
  func parallel(number: Int) async {
    let store = PreferencesStore.inMemory()
    await PreferencesStore.withStandard(store) {
      for round in 0..<50 {
        #expect(PreferencesStore.standard === store)
        PreferencesStore.standard.set(number, forKey: "number")
        await Task.yield()
        #expect(PreferencesStore.standard.integer(forKey: "number") == number)
        await withTaskGroup(of: Bool.self) { group in
          for _ in 0..<2 {
            group.addTask {
              PreferencesStore.standard.register(defaults: ["round": round])
              return PreferencesStore.standard === store
            }
          }
          for await isSame in group { #expect(isSame) }
        }
      }
      #expect(await Task { PreferencesStore.standard === store }.value)
      let isSame = try? await store.update { _ in PreferencesStore.standard === store }
      #expect(isSame == true)
    }
  }

  @Test("is the standard one for a closure that does not wait, and the innermost one counts")
  func nested() throws {
    let (outer, inner) = (PreferencesStore.inMemory(), PreferencesStore.inMemory())
    let result = PreferencesStore.withStandard(outer) {
      #expect(PreferencesStore.standard === outer)
      PreferencesStore.withStandard(inner) { #expect(PreferencesStore.standard === inner) }
      #expect(PreferencesStore.standard === outer)
      PreferencesStore.standard.set(1, forKey: "k")
      PreferencesStore.resetStandardUserDefaults()
      #expect(PreferencesStore.standard === outer)
      return PreferencesStore.standard.integer(forKey: "k")
    }
    #expect(result == 1)
    #expect(throws: CancellationError.self) {
      try PreferencesStore.withStandard(outer) { throw CancellationError() }
    }
  }

  @Test("serves observers of the standard one, on whichever thread they are called")
  func observers() throws {
    let store = PreferencesStore.inMemory()
    let changes = Recorder<PreferencesChange>()
    let observation = PreferencesStore.withStandard(store) {
      PreferencesStore.standard.observe("k") { changes.record($0) }
    }
    let thread = TestThread { store.set(1, forKey: "k") }
    #expect(thread.join())
    #expect(changes.all == [PreferencesChange(nil, 1)])
    observation.cancel()
  }

  @Test("is unknown to other threads, and to everybody afterwards")
  func scope() async throws {
    let folder = try TemporaryFolder()
    await #expect(processExitsWith: .success) { [path = folder.path as String] in
      setenv("XDG_CONFIG_HOME", path, 1)
      let store = PreferencesStore.inMemory()
      PreferencesStore.withStandard(store) {
        let thread = TestThread { #expect(PreferencesStore.standard !== store) }
        #expect(thread.join())
        let inside = TestThread {
          PreferencesStore.withStandard(store) { #expect(PreferencesStore.standard === store) }
        }
        #expect(inside.join())
      }
      #expect(PreferencesStore.standard !== store)
      #expect(PreferencesStore.standard === PreferencesStore.standard)
      try PreferencesStore.setApplication(identifier: PreferencesStore.standard.domain)
    }
  }

  @Test("leaves the application's preferences closed, so that they can be named")
  func unopened() async throws {
    let folder = try TemporaryFolder()
    await #expect(processExitsWith: .success) { [path = folder.path as String] in
      setenv("XDG_CONFIG_HOME", path, 1)
      let store = PreferencesStore.inMemory()
      PreferencesStore.withStandard(store) {
        PreferencesStore.standard.set(1, forKey: "k")
        _ = StoreReference(PreferencesStore.standard)
        _ = StoreReference(.inMemory())
      }
      try PreferencesStore.setApplication(identifier: "org.example.app")
      #expect(PreferencesStore.standard.domain == "org.example.app")
      #expect(try FileManager.default.contentsOfDirectory(atPath: path) == [])
    }
  }

  @Test("is followed by references to the standard one, wherever these were made")
  func references() async throws {
    let folder = try TemporaryFolder()
    await #expect(processExitsWith: .success) { [path = folder.path as String] in
      setenv("XDG_CONFIG_HOME", path, 1)
      let (one, two) = (PreferencesStore.inMemory(), PreferencesStore.inMemory())
      let early = StoreReference(PreferencesStore.standard)
      let standard = PreferencesStore.standard
      #expect(early.store === standard)
      let inside = PreferencesStore.withStandard(one) { StoreReference(PreferencesStore.standard) }
      let fixed = StoreReference(one)
      for reference in [early, inside] {
        #expect(reference == early)
        #expect(reference.hashValue == early.hashValue)
        #expect(reference.store === standard)
        PreferencesStore.withStandard(two) { #expect(reference.store === two) }
        PreferencesStore.withStandard(one) { #expect(reference.store === one) }
        PreferencesStore.withStandard(standard) { #expect(reference.store === standard) }
      }
      #expect(fixed != early)
      #expect(fixed == StoreReference(fixed: one))
      PreferencesStore.withStandard(two) { #expect(fixed.store === one) }
      #expect(StoreReference(fixed: standard).known === standard)
    }
  }
}
