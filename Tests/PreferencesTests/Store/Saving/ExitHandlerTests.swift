import Foundation
import Preferences
import PropertyList
import TestSupport
import Testing
import Threading

@Suite("Handlers of the end of the process", .timeLimit(.minutes(5)))
struct ExitHandlerTests {
  /// The store that the handler changes.
  private static let store = Lock<PreferencesStore?>(nil)

  @Test("What a handler sets that was registered before the first store was opened is saved")
  func earlyHandler() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path("k.plist")
    await #expect(processExitsWith: .exitCode(0)) { [path = path as String] in
      atexit { Self.store.withLock { $0 }?.set("handler", forKey: "end") }
      let store = PreferencesStore(fileAt: path)
      store.set("program", forKey: "program")
      Self.store.withLock { $0 = store }
      exit(0)
    }
    #expect(
      try Plist.read(folder.data("k.plist")).value == ["end": "handler", "program": "program"])
  }
}
