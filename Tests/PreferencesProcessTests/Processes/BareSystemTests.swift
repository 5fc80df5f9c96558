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

    /// The arguments of env(1) that run a program as a user unknown to the system.
    private var stranger: [String] {
      getuid() == 0
        ? [
          "-u", "HOME", "-u", "XDG_CONFIG_HOME", "setpriv", "--reuid=54321", "--regid=0",
          "--clear-groups", "env",
        ] : ["-u", "XDG_CONFIG_HOME", "HOME=/"]
    }

    private static let lack =
      "no folder for preferences: the user has no home folder, and XDG_CONFIG_HOME is not set to an absolute path"

    @Test(
      "Without a home folder it says so at once, and writes nothing anywhere",
      .enabled(
        if: getuid() == 0
          || getpwuid(getuid())?.pointee.pw_dir.map { String(cString: $0) }
            == "/nonexistent",
        "this user has a home folder"))
    func noHome() throws {
      let folder = try TemporaryFolder()
      try #require(chmod(folder.path, 0o755) == 0)
      for name in ["PreferencesTool", "defaults"] {
        try BuiltProgram(name).copy(to: name, in: folder)
      }
      try FileManager.default.createDirectory(
        atPath: folder.path("disk"), withIntermediateDirectories: false)
      func run(_ words: String...) throws -> BuiltProgram.Run {
        try BuiltProgram("plutil").run("/usr/bin/env", stranger + words, in: folder)
      }
      let tool = try run("./PreferencesTool", "key", "7")
      #expect(tool.status == 0 && tool.text.hasPrefix("7 "), "\(tool.error)")
      #expect(tool.error == "Larder: \(Self.lack); changes are not saved\n")
      let defaults = try run("./defaults", "write", "org.example.app", "key", "7")
      #expect(defaults.status == 1 && defaults.error.contains(Self.lack), "\(defaults.error)")
      #expect(try folder.names("disk") == [])
      #expect(try folder.names() == ["PreferencesTool", "defaults", "disk"])
      #expect(access("/.config", F_OK) != 0 && access("/nonexistent", F_OK) != 0)
      // A variable names a folder.
      try #require(chmod(folder.path("disk"), 0o777) == 0)
      let named = try run("XDG_CONFIG_HOME=\(folder.path("disk"))", "./PreferencesTool", "key", "7")
      #expect(named.status == 0 && named.text.hasPrefix("7 "), "\(named.error)")
      #expect(named.error == "")
      #expect(try folder.names("disk").contains("PreferencesTool.plist"))
    }

    @Test("A tool with few descriptors and a root that is read-only but for one folder works")
    func container() throws {
      let folder = try TemporaryFolder()
      let system = try MountNamespace(
        in: folder, "mkdir disk", "mount -t tmpfs none disk", "mount -o remount,bind,ro /")
      let write = system.run("ulimit -n 12; defaults write org.example.app key -int 7")
      #expect(write.status == 0, "\(write.output)")
      let read = system.run("ulimit -n 12; defaults read org.example.app key")
      #expect(read.status == 0 && read.output == "7\n", "\(read.output)")
    }
  }
}
