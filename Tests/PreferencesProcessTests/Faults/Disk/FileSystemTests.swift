import Foundation
import PropertyList
import TestSupport
import Testing

extension FaultTests {
  @Suite("Other file systems") struct FileSystemTests {
    /// A file system and the commands that mount it on `disk`.
    struct Kind: Sendable, CustomStringConvertible {
      var description: String
      var setup: String
    }

    @Test(
      "Many writers and kills lose nothing in memory and on layers",
      .enabled(if: MountNamespace.obstacle == nil, "\(MountNamespace.obstacle ?? "")"),
      arguments: [
        Kind(description: "tmpfs", setup: "mount -t tmpfs none disk"),
        Kind(
          description: "overlay",
          setup: """
            mkdir layers && mount -t tmpfs none layers && cd layers && mkdir lower upper work
            PreferencesTestProgram "$PWD/lower/test.plist" set lower x
            mount -t overlay -o lowerdir=lower,upperdir=upper,workdir=work none ../disk
            """),
      ])
    func withoutRoot(kind: Kind) throws { try storm(kind) }

    @Test(
      "Many writers and kills lose nothing where stamps have whole seconds",
      .enabled(if: RecordedDisk.obstacle == nil, "\(RecordedDisk.obstacle ?? "")"))
    func wholeSeconds() throws {
      try storm(
        Kind(
          description: "ext4 with inodes of 128 bytes",
          setup: """
            PATH="$PATH:/usr/sbin:/sbin"; truncate -s 16M image
            mkfs.ext4 -q -F -I 128 image 2> /dev/null && mount -o loop image disk
            """))
    }

    private func storm(_ kind: Kind) throws {
      let folder = try TemporaryFolder()
      let disk = try MountNamespace(in: folder, "mkdir disk", kind.setup)
      let writers = disk.run(
        """
        for n in 1 2 3 4; do PreferencesTestProgram "$PWD/disk/test.plist" write-keys "w$n-" 50 & done
        for n in 1 2 3 4 5 6 7 8; do
          defaults write test "defaults$n" x && plutil -replace "plutil$n" -string x disk/test.plist &&
            PlistBuddy -c "Add :buddy$n string x" disk/test.plist || echo failed
        done
        wait
        """)
      var tally = FaultTally()
      if writers.output != "" { tally.complaints.append(writers.output) }
      let kills = disk.run(
        "PreferencesTestProgram \"$PWD/disk/test.plist\" survive-kills \(100 * TestScale.rounds)")
      let figures = kills.output.split(separator: " ")
      if figures.first == "killed", figures.count == 4 {
        tally.injected = Int(figures[1])!
        tally.acknowledged = Int(figures[3].prefix { $0.isNumber })! + 4 * 50 + 3 * 8
      } else {
        tally.complaints.append(kills.output)
      }

      disk.run(
        "PreferencesTestProgram \"$PWD/disk/test.plist\" set last x; cp disk/test.plist copy")
      let values = try folder.values("copy")
      var expected = (1...4).flatMap { writer in (0..<50).map { "w\(writer)-\($0)" } }
      expected += ["defaults", "plutil", "buddy"].flatMap { name in (1...8).map { "\(name)\($0)" } }
      if kind.description == "overlay" { expected.append("lower") }
      let lost = expected.filter { values[$0] == nil }
      tally.lost = lost.count
      if !lost.isEmpty { tally.complaints.append("lost \(lost)") }
      let names = disk.run("ls -A disk | grep -v lost+found").output
      if names != ".test.plist.lock\ntest.plist\n" {
        tally.stray += 1
        tally.complaints.append("left \(names)")
      }
      tally.finish("- writers and kills on another file system\t\(kind)")
    }
  }
}
