import Glibc
import Testing

@testable import Preferences

@Suite("Locations of domain files")
struct DomainLocationsTests {
  /// The locations of a process with these environment variables.
  private static func locations(_ environment: [String: String]) -> DomainLocations {
    DomainLocations(environment: UserFolders(variable: { environment[$0] }))
  }

  @Test(
    "The user's folder is XDG_CONFIG_HOME, or .config in the home folder",
    arguments: [
      (["HOME": "/h"], "/h/.config"),
      (["HOME": "/h", "XDG_CONFIG_HOME": "/c"], "/c"),
      (["HOME": "/h", "XDG_CONFIG_HOME": "c"], "/h/.config"),
      (["HOME": "/h", "XDG_CONFIG_HOME": ""], "/h/.config"),
      (["XDG_CONFIG_HOME": "/c"], "/c"),
    ])
  func user(environment: [String: String], folder: String) {
    #expect(Self.locations(environment).user == folder)
  }

  @Test(
    "Without HOME in the environment, the home folder is that of the user database",
    arguments: [nil, "h", ""])
  func home(home: String?) throws {
    let user = Self.locations(home.map { ["HOME": $0] } ?? [:]).user
    let entry = try #require(getpwuid(getuid()))
    let folder = String(cString: entry.pointee.pw_dir)
    #expect(user == (folder == "/nonexistent" ? UserFolders.missing : folder + "/.config"))
  }

  @Test(
    "A user without a home folder has no folder, unless XDG_CONFIG_HOME names one",
    arguments: [
      ([:], nil, nil), (["HOME": "/"], nil, nil), (["HOME": "//"], nil, nil),
      (["HOME": "/nonexistent"], nil, nil), (["HOME": "/"], "/d", "/d/.config"),
      (["HOME": "/h"], nil, "/h/.config"), (["HOME": "/", "XDG_CONFIG_HOME": "/c"], nil, "/c"),
      (["XDG_CONFIG_HOME": "c"], nil, nil),
    ] as [([String: String], String?, String?)])
  func noFolder(environment: [String: String], home: String?, folder: String?) {
    let locations = DomainLocations(
      environment: UserFolders(homeInDatabase: { home }, variable: { environment[$0] }))
    #expect(locations.hasUserFolder == (folder != nil))
    #expect(locations.user == folder ?? UserFolders.missing)
  }

  @Test("A store without a user's folder cannot be opened")
  func opening() {
    var options = PreferencesStore.Options()
    for locations in [
      DomainLocations(within: ""),
      DomainLocations(user: "", system: [], managed: [], hostIdentifier: "host"),
    ] {
      options.locations = locations
      #expect(throws: PreferencesError.noUserFolder) {
        try PreferencesStore(domain: "org.example.app", options: options)
      }
      #expect(throws: PreferencesError.noUserFolder) {
        try UserDomains(locations: locations).store("org.example.app")
      }
      #expect(throws: PreferencesError.noUserFolder) {
        try UserDomains(locations: locations).names()
      }
    }
    #expect(
      "\(PreferencesError.noUserFolder)"
        == "no folder for preferences: the user has no home folder, and XDG_CONFIG_HOME is not set to an absolute path"
    )
  }

  @Test(
    "The system's folders are XDG_CONFIG_DIRS in order, then /usr/local/etc",
    arguments: [
      (nil, ["/etc/xdg"]), ("", ["/etc/xdg"]), ("/a:/b", ["/a", "/b"]), ("a:/b::c", ["/b"]),
      ("a", ["/etc/xdg"]),
    ])
  func system(variable: String?, folders: [String]) {
    let environment = variable.map { ["XDG_CONFIG_DIRS": $0] } ?? [:]
    #expect(Self.locations(environment).system == folders + ["/usr/local/etc"])
  }

  @Test("The environment affects neither the managed folders nor their checks")
  func managed() {
    let environment = ["HOME": "/h", "XDG_CONFIG_HOME": "/c", "XDG_CONFIG_DIRS": "/d"]
    let locations = Self.locations(environment)
    #expect(locations.managed == ["/etc/xdg/managed/\(getuid())", "/etc/xdg/managed"])
    #expect(locations.checksManagedOwnership)
    #expect(Self.locations([:]).managed == locations.managed)
  }

  @Test("The machine's identifier is stable and fit for a file name")
  func host() {
    let identifier = DomainLocations.standard.hostIdentifier
    #expect(identifier == Self.locations([:]).hostIdentifier)
    #expect(identifier.count > 8)
    #expect(identifier.allSatisfy { $0.isHexDigit })
  }
}
