import Foundation
import Preferences
import PropertyList
import TestSupport
import Testing

extension ProcessTests {
  @Suite("Files whose timestamps do not tell changes apart") struct TimestampTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Overwrites the file in place with contents of the same size.
    private func overwrite(_ path: String, _ values: PlistDictionary) throws {
      let old = try Data(contentsOf: URL(fileURLWithPath: path))
      let new = try Plist.write(.dictionary(values), as: .xml)
      try #require(new.count == old.count)
      let handle = try #require(FileHandle(forWritingAtPath: path))
      try handle.write(contentsOf: new)
      try handle.close()
    }

    /// Waits for the beginning of a second, so that what follows happens within it.
    private func awaitSecond() {
      while Date().timeIntervalSince1970.truncatingRemainder(dividingBy: 1) > 0.1 { usleep(1000) }
    }

    /// Lets a process read a file, changes it within the same second, and has the process save
    /// another key.
    private func expectMerge(_ path: String, wrapper: [String]) throws {
      awaitSecond()
      try PreferencesStore(fileAt: path).update { $0 = ["theirs": "1"] }
      let process = try TestProcess(path, "set-later", "ours", "x", wrapper: wrapper)
      #expect(process.readLine() == "read")
      try overwrite(path, ["theirs": "2"])
      process.writeLine("")
      TestProcess.finish([process])
      let values = try Plist.read(Data(contentsOf: URL(fileURLWithPath: path))).value
      #expect(values == ["theirs": "2", "ours": "x"])
    }

    @Test(
      "A change within the second of the last one is not undone by the next save",
      arguments: 1...3)
    func wholeSeconds(round: Int) throws {
      try expectMerge(
        folder.file, wrapper: OtherSystem.command(["LARDER_WHOLE_SECONDS": "1"]))
    }

    /// Mounts an ext4 image with inodes of 128 bytes, which keep only whole seconds.
    private static let mount = """
      truncate -s 4M image && mkfs.ext4 -q -F -I 128 image 2>&- && mkdir disk \
        && mount -o loop image disk
      """

    private func shell(_ command: String) throws -> BuiltProgram.Run {
      try BuiltProgram("PreferencesTestProgram").run("/bin/bash", ["-c", command], in: folder)
    }

    /// Why no image can be mounted; nil if it can.
    static let obstacle: String? = {
      guard getuid() == 0 else { return "mounting an image needs root" }
      guard let tests = try? TimestampTests(), let run = try? tests.shell(mount + " && umount disk")
      else { return "nothing can be run" }
      return run.status == 0 ? nil : "no image can be mounted: \(run.error)"
    }()

    @Test(
      "A change within the second of the last one is seen and kept on ext4 with small inodes",
      .enabled(if: obstacle == nil, "\(obstacle ?? "")"))
    func smallInodes() throws {
      try #require(shell(Self.mount).status == 0)
      defer { _ = try? shell("umount disk") }
      let path = folder.path("disk/test.plist")
      for _ in 1...3 { try expectMerge(path, wrapper: []) }
      // The watcher detects the same in a process that saves nothing.
      awaitSecond()
      try PreferencesStore(fileAt: path).update { $0 = ["theirs": "1"] }
      let reader = PreferencesStore(fileAt: path)
      #expect(reader.string(forKey: "theirs") == "1")
      try overwrite(path, ["theirs": "2"])
      #expect(eventually { reader.string(forKey: "theirs") == "2" })
    }

    @Test("A clock behind the file's timestamps leads to few looks, and changes are still seen")
    func slowClock() throws {
      try PreferencesStore(fileAt: folder.file).update { $0 = ["theirs": "1"] }
      let process = try TestProcess(
        folder.file, "set-and-wait", "ours", "x", "5",
        wrapper: OtherSystem.command([
          "LARDER_SLOW_CLOCK": "3600", "LARDER_COUNTED_NAME": "test.plist",
          "LARDER_COUNT": folder.path("count"),
        ]))
      TestProcess.finish([process])
      // It was checked 250 times.
      #expect(try folder.data("count").count < 30)
      try expectMerge(
        folder.file, wrapper: OtherSystem.command(["LARDER_SLOW_CLOCK": "3600"]))
    }

    @Test("A file on an ordinary file system is read once, and once more after a save of its own")
    func counts() throws {
      try PreferencesStore(fileAt: folder.file).update { $0 = ["theirs": "1"] }
      func count(_ verb: String...) throws -> Int {
        try folder.write("", to: "count")
        let process = try TestProcess(
          command: OtherSystem.command([
            "LARDER_COUNTED_NAME": "test.plist", "LARDER_COUNT": folder.path("count"),
          ]) + [BuiltProgram("PreferencesTestProgram").path, folder.file] + verb)
        TestProcess.finish([process])
        return try folder.data("count").count
      }
      usleep(50_000)
      #expect(try count("print-value", "theirs") == 1)
      // It is opened for its attributes when it is replaced, and compared when the clock has moved.
      // On a busy machine, the clock may have moved by the time of the replacement, or a comparison comes too
      // early and is repeated.
      let looks = try count("set-and-wait", "ours", "x", "1")
      #expect((2...6).contains(looks))
    }
  }
}
