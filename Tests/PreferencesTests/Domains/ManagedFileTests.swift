import FoundationEssentials
import Glibc
import PropertyList
import TestSupport
import Testing
import FileStorage

@testable import Preferences

@Suite("Managed preferences are trusted if only root can write them")
struct ManagedFileTests {
  /// A folder that only root can write to, like all folders on its path.
  private final class RootFolder {
    let path = "/var/lib/larder-test-\(UUID().uuidString)"

    init() throws {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
      try #require(chmod(path, 0o755) == 0)
      try FileManager.default.createDirectory(
        atPath: path + "/inner", withIntermediateDirectories: false)
      try #require(chmod(path + "/inner", 0o755) == 0)
      try Plist.write(["k": 1], as: .xml).write(to: URL(filePath: file))
      try #require(chmod(file, 0o644) == 0)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    var file: String { path + "/inner/d.plist" }
  }

  private static let isRoot = getuid() == 0

  @Test("A system file is trusted, a file in a world-writable folder is not")
  func system() throws {
    let folder = try TemporaryFolder()
    try folder.write("", to: "file")
    #expect(ManagedOwnership.isTrusted("/etc/passwd"))
    #expect(ManagedOwnership.isTrusted("/etc/../etc/./passwd"))
    #expect(!ManagedOwnership.isTrusted(folder.path("file")))
    #expect(!ManagedOwnership.isTrusted("/no such file"))
    #expect(!ManagedOwnership.isTrusted("etc/passwd"))
  }

  @Test(
    "Owner and permissions of the file and of every folder on its path are checked",
    .enabled(if: isRoot))
  func permissions() throws {
    let folder = try RootFolder()
    #expect(ManagedOwnership.isTrusted(folder.file))
    for path in [folder.file, folder.path + "/inner", folder.path] {
      for mode: mode_t in [0o775, 0o757] {
        try #require(chmod(path, mode) == 0)
        #expect(!ManagedOwnership.isTrusted(folder.file))
      }
      try #require(chmod(path, 0o755) == 0)
      try #require(lchown(path, 1234, 0) == 0)
      #expect(!ManagedOwnership.isTrusted(folder.file))
      try #require(lchown(path, 0, 1234) == 0)
      #expect(ManagedOwnership.isTrusted(folder.file))
    }
  }

  @Test("A symbolic link is trusted if it, its path and its target are", .enabled(if: isRoot))
  func links() throws {
    let folder = try RootFolder()
    let other = try TemporaryFolder()
    try other.write("", to: "file")
    func makeLink(_ path: String, to target: String) throws {
      try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
    }
    let link = folder.path + "/link"
    try makeLink(link, to: "inner/../inner/d.plist")
    #expect(ManagedOwnership.isTrusted(link))
    try makeLink(folder.path + "/folder", to: folder.path + "/inner")
    #expect(ManagedOwnership.isTrusted(folder.path + "/folder/d.plist"))
    // Any user can change the target of this one.
    try makeLink(other.path("link"), to: folder.file)
    #expect(!ManagedOwnership.isTrusted(other.path("link")))
    try makeLink(folder.path + "/detour", to: other.path("link"))
    #expect(!ManagedOwnership.isTrusted(folder.path + "/detour"))
    try makeLink(folder.path + "/loop", to: "loop")
    #expect(!ManagedOwnership.isTrusted(folder.path + "/loop"))
    try #require(lchown(link, 1234, 1234) == 0)
    #expect(!ManagedOwnership.isTrusted(link))
  }

  @Test("A managed file that others can write is ignored and reported", .enabled(if: isRoot))
  func ignored() throws {
    let folder = try RootFolder()
    let fixture = try StoreFixture()
    var options = PreferencesStore.Options()
    options.locations = fixture.locations
    options.locations.managed = [folder.path + "/inner"]
    options.locations.checksManagedOwnership = true
    options.arguments = []
    let store = try PreferencesStore(domain: "d", options: options)
    #expect(store.objectIsForced(forKey: "k"))
    #expect(store.problems.isEmpty)
    try #require(chmod(folder.file, 0o666) == 0)
    store.synchronize()
    #expect(!store.containsValue(forKey: "k"))
    #expect(store.problems == [.untrustedManagedFile(path: folder.file)])
    // Reading the file by path does not make it trusted.
    #expect(PreferencesStore(fileAt: folder.file).containsValue(forKey: "k"))
    #expect(!store.containsValue(forKey: "k"))
    try #require(chmod(folder.file, 0o644) == 0)
    store.synchronize()
    #expect(store.integer(forKey: "k") == 1)
  }
}
