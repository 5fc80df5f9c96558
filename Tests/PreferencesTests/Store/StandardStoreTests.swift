import FoundationEssentials
import Glibc
import PropertyList
import TestSupport
import Testing

@testable import Preferences

/// Each process has one standard store, so each test runs in a separate process.
@Suite("The standard store")
struct StandardStoreTests {
  private static func use(_ folder: String) {
    setenv("XDG_CONFIG_HOME", folder, 1)
    setenv("XDG_CONFIG_DIRS", folder + "/system", 1)
  }

  @Test("Its domain is named after the process")
  func processName() async throws {
    let folder = try TemporaryFolder()
    await #expect(processExitsWith: .success) { [path = folder.path as String] in
      Self.use(path)
      let name = String(CommandLine.arguments[0].split(separator: "/").last!)
      #expect(PreferencesStore.standard.domain == name)
      #expect(PreferencesStore.standard === PreferencesStore.standard)
      PreferencesStore.standard.set(1, forKey: "k")
      try PreferencesStore.standard.flush()
      #expect(FileManager.default.fileExists(atPath: path + "/\(name).plist"))
      #expect(PreferencesStore(suiteName: name) == nil)
    }
  }

  @Test("It can have options")
  func options() async throws {
    let folder = try TemporaryFolder()
    await #expect(processExitsWith: .success) { [path = folder.path as String] in
      Self.use(path)
      var options = PreferencesStore.Options()
      options.argumentsAfterName = ["--width=100"]
      options.argumentOptions.acceptsLongOptions = true
      options.environment = EnvironmentOptions(prefix: "APP_")
      options.environment?.variables = ["APP_HEIGHT": "50"]
      try PreferencesStore.setApplication(identifier: "org.example.app", options: options)
      for store in [PreferencesStore.standard, PreferencesStore()] {
        #expect(store.domain == "org.example.app")
        #expect(store.integer(forKey: "width") == 100)
        #expect(store.string(forKey: "height") == "50")
      }
      #expect(
        throws: PreferencesError.lateApplication("org.example.app", used: "org.example.app")
      ) { try PreferencesStore.setApplication(identifier: "org.example.app", options: options) }
    }
  }

  @Test("It can be named before its first use, and no suite may have its name")
  func identifier() async throws {
    let folder = try TemporaryFolder()
    await #expect(processExitsWith: .success) { [path = folder.path as String] in
      Self.use(path)
      #expect(throws: PreferencesError.invalidDomainName("a/b")) {
        try PreferencesStore.setApplication(identifier: "a/b")
      }
      try PreferencesStore.setApplication(identifier: "org.example.first")
      try PreferencesStore.setApplication(identifier: "org.example.app")
      let standard = PreferencesStore.standard
      #expect(standard.domain == "org.example.app")
      try PreferencesStore.setApplication(identifier: "org.example.app")
      #expect(PreferencesStore(suiteName: "org.example.app") == nil)
      #expect(PreferencesStore(suiteName: PreferencesStore.globalDomain) == nil)
      let suite = try #require(PreferencesStore(suiteName: "org.example.suite"))
      #expect(suite.domain == "org.example.suite")
      let own = try #require(PreferencesStore(suiteName: nil))
      #expect(own !== standard)
      standard.set(1, forKey: "k")
      #expect(own.integer(forKey: "k") == 1)
      #expect(!suite.containsValue(forKey: "k"))
      standard.register(defaults: ["r": 1])
      #expect(suite.containsValue(forKey: "r"))
    }
  }

  @Test("Naming it after its first use throws and changes nothing")
  func lateIdentifier() async throws {
    let folder = try TemporaryFolder()
    await #expect(processExitsWith: .success) { [path = folder.path as String] in
      Self.use(path)
      try PreferencesStore.setApplication(identifier: "org.example.first")
      _ = PreferencesStore.standard
      #expect(
        throws: PreferencesError.lateApplication("org.example.app", used: "org.example.first")
      ) { try PreferencesStore.setApplication(identifier: "org.example.app") }
      PreferencesStore.resetStandardUserDefaults()
      #expect(PreferencesStore.standard.domain == "org.example.first")
    }
  }

  @Test("Resetting saves it and creates it anew, without its suites")
  func reset() async throws {
    let folder = try TemporaryFolder()
    await #expect(processExitsWith: .success) { [path = folder.path as String] in
      Self.use(path)
      try PreferencesStore.setApplication(identifier: "app")
      let old = PreferencesStore.standard
      old.set(1, forKey: "k")
      old.setPersistentDomain(["s": 1], forName: "suite")
      old.addSuite(named: "suite")
      #expect(old.containsValue(forKey: "s"))
      PreferencesStore.resetStandardUserDefaults()
      #expect(FileManager.default.fileExists(atPath: path + "/app.plist"))
      #expect(PreferencesStore.standard !== old)
      #expect(PreferencesStore.standard.integer(forKey: "k") == 1)
      #expect(!PreferencesStore.standard.containsValue(forKey: "s"))
      PreferencesStore.resetStandardUserDefaults()
      PreferencesStore.resetStandardUserDefaults()
    }
  }

  @Test("Its values are saved by a normal exit of the process")
  func exit() async throws {
    let folder = try TemporaryFolder()
    await #expect(processExitsWith: .exitCode(7)) { [path = folder.path as String] in
      Self.use(path)
      try PreferencesStore.setApplication(identifier: "app")
      PreferencesStore.standard.set(1, forKey: "k")
      Glibc.exit(7)
    }
    #expect(try Plist.read(try folder.data("app.plist")).value == ["k": 1])
  }

  @Test("Its folders are taken from the environment")
  func environment() async throws {
    let folder = try TemporaryFolder()
    await #expect(processExitsWith: .success) { [path = folder.path as String] in
      Self.use(path)
      let locations = DomainLocations.standard
      #expect(locations.user == path)
      #expect(locations.system == [path + "/system", "/usr/local/etc"])
    }
  }
}
