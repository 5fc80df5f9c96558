import Foundation
import PropertyList
import TestSupport
import Testing

import Threading
@testable import Preferences

@Suite("The timeout of an update")
struct UpdateTimeoutTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func store(_ name: String) -> PreferencesStore {
    PreferencesStore(fileAt: folder.path(name))
  }

  @Test("ends two updates that wait for each other", arguments: [true, false])
  func nested(isLoaded: Bool) throws {
    let stores = [store("a"), store("b")]
    if isLoaded { for store in stores { _ = store.string(forKey: "k") } }
    let inside = Lock(0)
    let errors = Lock<[String]>([])
    let threads = (0..<2).map { index in
      TestThread {
        let (own, other) = (stores[index], stores[1 - index])
        do {
          try own.update { values in
            inside.withLock { $0 += 1 }
            _ = eventually { inside.withLock { $0 } == 2 }
            values["own"] = .integer(Int64(index))
            try other.update(timeout: .milliseconds(300)) { $0["other"] = .integer(Int64(index)) }
          }
        } catch {
          errors.withLock { $0.append("\(error)") }
        }
      }
    }
    for thread in threads { #expect(thread.join()) }
    let texts = errors.withLock { $0 }
    #expect((1...2).contains(texts.count))
    let expected = stores.map { store in
      "\(store.domain): the file was still locked after 300 milliseconds; nothing was saved"
    }
    #expect(texts.allSatisfy { expected.contains($0) })
    for store in stores { try store.update { $0["later"] = true } }
  }

  /// Calls a closure while another thread is within an update of the store.
  private func duringUpdate(of store: PreferencesStore, _ body: () -> Void) throws {
    let (isInside, mayEnd) = (Latch(), Latch())
    let thread = TestThread {
      try? store.update { values in
        values["held"] = true
        isInside.open()
        _ = eventually { mayEnd.isOpen }
      }
    }
    #expect(eventually { isInside.isOpen })
    body()
    mayEnd.open()
    #expect(thread.join())
    #expect(store.bool(forKey: "held"))
  }

  @Test("includes the wait for another thread's update of the same domain")
  func otherThread() throws {
    let store = store("a")
    try duringUpdate(of: store) {
      let error = #expect(throws: PreferencesError.self) {
        try store.update(timeout: .milliseconds(50)) { $0["k"] = 1 }
      }
      #expect(error == .lockTimeout(path: store.domain, waited: .milliseconds(50), lockFile: nil))
    }
    #expect(!store.containsValue(forKey: "k"))
  }

  @Test("fails an update within an update of the same domain at once")
  func sameThread() throws {
    let store = store("a")
    try store.update { values in
      values["outer"] = 1
      let error = #expect(throws: PreferencesError.self) {
        try store.update(timeout: .seconds(3600)) { $0["inner"] = 1 }
      }
      #expect(error == .withinUpdate(path: store.domain))
    }
    #expect(store.plistRepresentation == ["outer": 1])
  }
}
