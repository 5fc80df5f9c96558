import Foundation
import Preferences
import TestSupport
import Testing

@Suite("Stores as objects")
struct StoreIdentityTests {
  @Test("Two stores are equal if they are the same object")
  func identity() {
    let (one, other) = (PreferencesStore.inMemory(), PreferencesStore.inMemory())
    #expect(one == one)
    #expect(one != other)
    #expect(Set([one, other, one]).count == 2)
    #expect([one: 1, other: 2][other] == 2)
  }

  @Test("A store without a name is that of the application's domain")
  func application() async throws {
    let folder = try TemporaryFolder()
    await #expect(processExitsWith: .success) { [path = folder.path as String] in
      setenv("XDG_CONFIG_HOME", path, 1)
      setenv("XDG_CONFIG_DIRS", path + "/system", 1)
      try PreferencesStore.setApplication(identifier: "org.example.player")
      let store = PreferencesStore()
      store.set(5, forKey: "k")
      #expect(store.domain == "org.example.player")
      #expect(store != PreferencesStore.standard)
      #expect(PreferencesStore.standard.integer(forKey: "k") == 5)
      try store.flush()
    }
    #expect(try folder.names().contains("org.example.player.plist"))
  }
}
