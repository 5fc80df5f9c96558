import Defaults
import Foil
import Foundation
import Synchronization
import Testing

@testable import MixedClient

/// One test at a time, since they share a workshop's preferences.
@Suite("Defaults and Foil in one file", .serialized)
struct MixedTests {
  @Test("Properties of both libraries store one type, each in its own form, and publish it")
  func workshop() {
    let workshop = Workshop()
    let received = Mutex<[String]>([])
    let subscriptions = workshop.subscriptions { name in received.withLock { $0.append(name) } }
    #expect(received.withLock { $0 } == ["file", "saw"])
    workshop.spare.name = "rasp"
    workshop.tool.name = "plane"
    #expect(received.withLock { $0 } == ["file", "saw", "rasp", "plane"])
    let store = MixedClient.UserDefaults.standard
    #expect(store.data(forKey: "workshop-spare") == Data(#"{"name":"rasp"}"#.utf8))
    #expect(store.string(forKey: "workshop-tool") == #"{"name":"plane"}"#)
    withExtendedLifetime(subscriptions) {}
    workshop.close()
    #expect(workshop.spare.name == "file")
    #expect(workshop.tool.name == "saw")
  }

  @Test("What one library stores, the other reads")
  @MainActor
  func shared() {
    let (workshop, model) = (Workshop(), WorkshopModel())
    workshop.shift = .late
    #expect(Defaults[.shift] == .late)
    #expect(model.shift == .late)
    Defaults[.opened] = Date(timeIntervalSinceReferenceDate: 3)
    #expect(workshop.opened == Date(timeIntervalSinceReferenceDate: 3))
    model.opened = nil
    #expect(Defaults[.opened] == nil)
    model.shift = .early
    #expect(workshop.shift == .early)
  }
}
