import Foundation
import TestSupport
import Testing

extension FaultTests {
  @Suite(
    "A full disk",
    .enabled(if: MountNamespace.obstacle == nil, "\(MountNamespace.obstacle ?? "")"))
  struct FullDiskTests {
    /// A command of each program that adds a value to `disk/test.plist`.
    static let commands = [
      "PreferencesTestProgram \"$PWD/disk/test.plist\" set new \"$large\"",
      "defaults write test new \"$large\"",
      "plutil -replace new -string \"$large\" disk/test.plist",
      "PlistBuddy -c \"Add :new string $large\" disk/test.plist",
    ]

    @Test(
      "No room for the new file, or for its name, is an error; the old file stays, and there is room again later",
      arguments: commands)
    func full(command: String) throws {
      let folder = try TemporaryFolder()
      let disk = try MountNamespace(
        in: folder, "mkdir disk", "mount -t tmpfs -o size=64k,nr_inodes=20 none disk",
        "PreferencesTestProgram \"$PWD/disk/test.plist\" set old value",
        "cp disk/test.plist before", "head -c 55000 /dev/zero > disk/filler")
      var tally = FaultTally()
      func fails(_ large: String, _ reason: String) {
        tally.injected += 1
        let run = disk.run("large=\(large); \(command)")
        let isReported = run.status == 1 && run.output.contains(reason)
        if !isReported { tally.complaints.append("\(run)") }
        if disk.run("cmp disk/test.plist before").status != 0 { tally.unreadable += 1 }
        let names = disk.run("ls -A disk | grep -v '^[0-9]*$'").output
        if !["filler\ntest.plist\n", ".test.plist.lock\nfiller\ntest.plist\n"].contains(names) {
          tally.stray += 1
          tally.complaints.append("left \(names)")
        }
      }
      fails("$(printf %60000s | tr ' ' x)", "No space left on device")
      // Room for contents, but not for another name.
      disk.run(": > disk/filler; touch $(seq -f disk/%g 30)")
      fails("small", "No space left on device")

      disk.run("rm disk/[0-9]*")
      let run = disk.run("large=small; \(command)")
      #expect(run.status == 0, "\(run)")
      #expect(disk.run("plutil -extract new raw disk/test.plist").output == "small\n")
      #expect(disk.run("plutil -extract old raw disk/test.plist").output == "value\n")
      tally.acknowledged += 1
      tally.finish("11 a full disk\t\(command.prefix { $0 != " " })")
    }

    @Test("A store keeps the values that the disk had no room for, and saves them once there is")
    func keepsValues() throws {
      let folder = try TemporaryFolder()
      let disk = try MountNamespace(
        in: folder, "mkdir disk", "mount -t tmpfs -o size=64k none disk",
        "PreferencesTestProgram \"$PWD/disk/test.plist\" set old value",
        "head -c 55000 /dev/zero > disk/filler", "mkfifo input",
        """
        PreferencesTestProgram "$PWD/disk/test.plist" flush-until-saved new \
        "$(printf %60000s | tr ' ' x)" < input > output 2>&1 & echo $! > process
        exec 3> input; until grep -q . output; do sleep 0.01; done
        cp output first; ls -A disk > names; rm disk/filler; echo >&3; exec 3>&-
        while kill -0 $(cat process) 2>/dev/null; do sleep 0.01; done
        """)
      let path = folder.path("disk/test.plist")
      #expect(try folder.text("first") == "\(path): cannot write: No space left on device\n")
      #expect(try folder.text("names") == ".test.plist.lock\nfiller\ntest.plist\n")
      #expect(try folder.text("output").hasSuffix("\nsaved\n"))
      #expect(disk.run("plutil -extract new raw disk/test.plist | wc -c").output == "60001\n")
      #expect(disk.run("plutil -extract old raw disk/test.plist").output == "value\n")
    }
  }
}
