import Foundation
import PropertyList
import TestSupport
import Testing

extension ProcessTests {
  @Suite(
    "Changes of what is mounted in the namespace of a process",
    .enabled(if: MountNamespace.obstacle == nil, "\(MountNamespace.obstacle ?? "")"))
  struct MountTests {
    /// A way to mount, in the folder of a test.
    struct Mount: Sendable, CustomTestStringConvertible {
      var testDescription: String
      var command: String
      /// The path of the file in the process.
      var path: String
      /// Whether the source may be replaced: a file that is mounted itself stays the same file.
      var mayReplace = true
    }

    private static let mounts = [
      Mount(
        testDescription: "a folder", command: "mount --bind source mounted",
        path: "mounted/test.plist"),
      Mount(
        testDescription: "a read-only folder",
        command: "mount --bind source mounted && mount -o remount,bind,ro mounted",
        path: "mounted/test.plist"),
      Mount(
        testDescription: "a folder behind a link",
        command: "mount --bind source mounted && ln -s mounted/test.plist link.plist",
        path: "link.plist"),
      Mount(
        testDescription: "a folder below another one",
        command: "mount --bind . other && mount --bind source other/mounted",
        path: "other/mounted/test.plist"),
      Mount(
        testDescription: "a file", command: "mount --bind source/test.plist mounted/test.plist",
        path: "mounted/test.plist", mayReplace: false),
      Mount(
        testDescription: "a read-only file",
        command: """
          mount --bind source/test.plist mounted/test.plist && mount -o remount,bind,ro mounted/test.plist
          """,
        path: "mounted/test.plist", mayReplace: false),
    ]

    @Test("Each write to the source is seen", arguments: mounts)
    func changes(mount: Mount) throws {
      let folder = try TemporaryFolder()
      for name in ["source", "mounted", "other"] {
        try FileManager.default.createDirectory(
          atPath: folder.path(name), withIntermediateDirectories: false)
      }
      try folder.write("", to: "mounted/test.plist")
      let source = folder.path("source/test.plist")
      func write(_ text: String, atomically: Bool) throws {
        let data = Data("{ k = \"\(text)\"; }".utf8)
        if atomically { return try data.write(to: URL(filePath: source), options: .atomic) }
        let file = try #require(FileHandle(forWritingAtPath: source))
        try file.truncate(atOffset: 0)
        try file.write(contentsOf: data)
        try file.close()
      }
      try write("first", atomically: true)
      let process = try TestProcess(
        folder.path(mount.path), "print-changes",
        wrapper: [
          "-C", folder.path, "timeout", "300", "unshare", getuid() == 0 ? "-m" : "-Urm", "bash",
          "-c",
          mount.command + " && exec \"$@\"", "bash",
        ])
      #expect(process.readLine() == "first")
      for number in 0..<TestScale.count(20) {
        try write("\(number)", atomically: mount.mayReplace && number % 2 == 0)
        #expect(process.readLine() == "\(number)")
      }
      TestProcess.finish([process])
    }

    @Test("What is mounted read-only cannot be saved until it is writable")
    func readOnly() throws {
      let folder = try TemporaryFolder()
      try FileManager.default.createDirectory(
        atPath: folder.path("disk"), withIntermediateDirectories: false)
      let namespace = try MountNamespace(
        in: folder, "mount -t tmpfs none disk", "plutil -create xml1 disk/d.plist",
        "mount -o remount,ro disk")
      let (status, output) = namespace.run("defaults write d k 1")
      #expect(status == 1)
      #expect(
        output
          == "Could not write domain d; exiting\n\(folder.path("disk/d.plist")): cannot create a "
          + "file in its folder: Read-only file system\n")
      let (_, value) = namespace.run(
        "mount -o remount,rw disk && defaults write d k 2 && defaults read d k")
      #expect(value == "2\n")
    }
  }
}
