import Foundation
import PropertyList
import TestSupport
import Testing

extension ProcessTests {
  @Suite(
    "A program where the system lacks something",
    .enabled(if: MountNamespace.obstacle == nil, "\(MountNamespace.obstacle ?? "")"))
  struct BareSystemTests {
    @Test("It has its own domain without /proc, which the runtime asks for the arguments")
    func noProc() throws {
      let folder = try TemporaryFolder()
      let system = try MountNamespace(
        in: folder, "mkdir disk", "PreferencesTool key 7", "mount -t tmpfs none /proc")
      #expect(try folder.values("disk/PreferencesTool.plist") == ["key": 7])
      let (status, output) = system.run("PreferencesTool")
      #expect(status == 0 && output.hasPrefix("7 "), "\(output)")
    }
  }
}
