import Manifests
import Testing

@Suite("The folders of manifests")
struct ManifestFoldersTests {
  /// Variables, and the folders without `preferences/manifests`.
  static let rows: [([String: String], [String])] = [
    (["HOME": "/h"], ["/h/.local/share", "/usr/local/share", "/usr/share"]),
    ([:], ["/usr/local/share", "/usr/share"]),
    (["HOME": "h"], ["/usr/local/share", "/usr/share"]),
    (["HOME": "/h", "XDG_DATA_HOME": "/data", "XDG_DATA_DIRS": "/a:/b"], ["/data", "/a", "/b"]),
    (
      ["HOME": "/h", "XDG_DATA_HOME": "data", "XDG_DATA_DIRS": "a:/b:"],
      ["/h/.local/share", "/b"]
    ),
    (
      ["HOME": "/h", "XDG_DATA_HOME": "", "XDG_DATA_DIRS": ":"],
      ["/h/.local/share", "/usr/local/share", "/usr/share"]
    ),
  ]

  @Test("are those of the XDG Base Directory Specification", arguments: rows)
  func paths(variables: [String: String], folders: [String]) {
    #expect(
      ManifestFolders { variables[$0] }.paths == folders.map { "\($0)/preferences/manifests" })
    #expect(
      ManifestFolders(root: "/image") { variables[$0] }.paths
        == folders.map { "/image\($0)/preferences/manifests" })
  }

  @Test("have a file for each domain, with one of two extensions")
  func files() {
    var folders = ManifestFolders { _ in nil }
    folders.paths = ["/a", "/b"]
    #expect(
      folders.files(forDomain: "org.x")
        == ["/a/org.x.plist", "/a/org.x.manifest", "/b/org.x.plist", "/b/org.x.manifest"])
    for domain in ["", "../x", "a/b", "a\0"] {
      #expect(folders.files(forDomain: domain) == [], "\(domain)")
    }
    #expect(
      ["org.x.plist", "org.x.manifest", "org.x", ".plist", "x.PLIST"].map {
        ManifestFolders.domain(ofFile: $0)
      } == ["org.x", "org.x", nil, nil, nil])
  }
}
