import CLinuxFile
import Foundation
import Testing

@testable import FileStorage

@Suite(
  "The trust in a managed file", .enabled(if: getuid() == 0, "only root can make trusted files"))
final class ManagedOwnershipTests {
  /// A folder that only root can write to, like all folders on its path.
  private let folder = "/var/lib/larder-test-\(UUID().uuidString)"
  private let file: String

  init() throws {
    file = folder + "/inner/file"
    for path in [folder, folder + "/inner"] {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
      try #require(chmod(path, 0o755) == 0)
    }
    try write("x", to: file)
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  private func write(_ text: String, to path: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    try #require(chmod(path, 0o644) == 0)
  }

  @Test("ends where an access control list lets another user write")
  func accessControlList() throws {
    /// A list (acl(5)): its version, and tags, permissions and identifiers of its entries.
    func list(_ entries: [(tag: UInt16, permissions: UInt16, identifier: UInt32)]) -> [UInt8] {
      func bytes(_ number: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: number.littleEndian) { Array($0) }
      }
      return bytes(UInt32(2))
        + entries.flatMap { bytes($0.tag) + bytes($0.permissions) + bytes($0.identifier) }
    }
    let none = UInt32.max
    for path in [file, folder + "/inner", folder] {
      let descriptor = open(path, O_RDONLY)
      defer { close(descriptor) }
      for (permissions, isTrusted) in [(5, true), (7, false)] as [(UInt16, Bool)] {
        // The owner, a user, the group, the mask, and others.
        let list = list([
          (1, 7, none), (2, permissions, 1234), (4, 5, none), (16, permissions, none),
          (32, 5, none),
        ])
        let result = larder_set_attribute(
          descriptor, "system.posix_acl_access", list, list.count)
        try #require(result == 0, "the file system of /var/lib has no access control lists")
        #expect(ManagedOwnership.isTrusted(file) == isTrusted, "\(path)")
      }
      try #require(larder_remove_attribute(descriptor, "system.posix_acl_access") == 0)
      try #require(chmod(path, 0o755) == 0)
      #expect(ManagedOwnership.isTrusted(file))
    }
  }

  @Test("does not cover what was read from a file that has since been replaced")
  func replaced() throws {
    let identity = try #require(try AtomicFile(file).identity())
    #expect(ManagedOwnership.isTrusted(file, holding: identity))
    try write("y", to: folder + "/inner/new")
    try #require(rename(folder + "/inner/new", file) == 0)
    #expect(ManagedOwnership.isTrusted(file))
    #expect(!ManagedOwnership.isTrusted(file, holding: identity))
  }
}
