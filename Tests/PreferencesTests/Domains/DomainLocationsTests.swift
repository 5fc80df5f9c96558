import Glibc
import Testing

@testable import Preferences

@Suite("Locations of domain files")
struct DomainLocationsTests {
  /// The locations of a process with these environment variables.
  private static func locations(_ environment: [String: String]) -> DomainLocations {
    DomainLocations(environment: UserFolders { environment[$0] })
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
    #expect(user == String(cString: entry.pointee.pw_dir) + "/.config")
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
