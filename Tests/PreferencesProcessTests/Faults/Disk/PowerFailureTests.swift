import Foundation
import PropertyList
import TestSupport
import Testing

extension FaultTests {
  @Suite(
    "A disk that loses power at any time",
    .enabled(if: RecordedDisk.obstacle == nil, "\(RecordedDisk.obstacle ?? "")"))
  struct PowerFailureTests {
    /// Commands that save one value after another, each with a number, and read them.
    struct Writer: Sendable, CustomStringConvertible {
      var description: String
      /// `N` stands for the number.
      var command: String
    }

    static let writers = [
      Writer(
        description: "store", command: "PreferencesTestProgram \"$PWD/test.plist\" set keyN x"),
      Writer(description: "defaults write", command: "defaults write test keyN x"),
      Writer(
        description: "plutil -insert",
        command:
          "test -e test.plist || plutil -create xml1 test.plist; plutil -insert keyN -string x test.plist"
      ),
      Writer(
        description: "PlistBuddy Add", command: "PlistBuddy -c 'Add :keyN string x' test.plist"),
    ]

    @Test(
      "After its power failed at any flush, with any of the later writes lost, a disk has every acknowledged value",
      arguments: TestScale.isExhaustive ? writers : [writers[0], writers[2]])
    func cutOff(writer: Writer) throws {
      let image = try RecordedDisk.makeImage()
      let folder = try TemporaryFolder()
      let disk = try RecordedDisk(of: image, in: folder)
      // The values that were acknowledged when so many bytes had been recorded.
      var acknowledged: [(key: String, position: Int)] = []
      let count = TestScale.isExhaustive ? 20 : 3
      let programs = URL(fileURLWithPath: BuiltProgram("plutil").path).deletingLastPathComponent()
      for index in 0..<count {
        let command = writer.command.replacing("N", with: "\(index)")
        try RecordedDisk.run(
          "cd mount; PATH='\(programs.path)':\"$PATH\" XDG_CONFIG_HOME=\"$PWD\"; "
            + "export XDG_CONFIG_HOME; \(command)", in: folder)
        acknowledged.append(("key\(index)", disk.recordedSize))
      }
      let requests = try disk.finish()

      var tally = FaultTally()
      let check = try TemporaryFolder()
      try FileManager.default.createDirectory(
        atPath: check.path("mount"), withIntermediateDirectories: false)
      var random = SeededGenerator(seed: 1)
      /// Everything that was written before the last flush.
      var durable = image
      /// The writes since the last flush.
      var later: [(offset: Int, data: Data)] = []
      for (position, request) in requests {
        if case .write(let offset, let data) = request {
          later.append((offset, data))
          continue
        }
        // The power fails just before this flush: all later writes have arrived, or none, or some.
        let subsets = TestScale.isExhaustive ? 4 : 1
        let some = (0..<subsets).map { _ in later.filter { _ in Bool.random(using: &random) } }
        let states = later.isEmpty ? [[]] : [[], later] + some
        for writes in states {
          let expected = acknowledged.filter { $0.position <= position }.map(\.key)
          try Self.check(Self.apply(writes, to: durable), has: expected, in: check, &tally)
        }
        durable = Self.apply(later, to: durable)
        later = []
      }
      try Self.check(durable, has: acknowledged.map(\.key), in: check, &tally)
      tally.finish("- power failure at each flush of a disk (ext4)\t\(writer)")
    }

    private static func apply(_ writes: [(offset: Int, data: Data)], to image: Data) -> Data {
      var image = image
      for (offset, data) in writes {
        image.replaceSubrange(offset..<offset + data.count, with: data)
      }
      return image
    }

    /// Mounts an image, which recovers the file system, and looks for values.
    private static func check(
      _ image: Data, has expected: [String], in folder: TemporaryFolder, _ tally: inout FaultTally
    ) throws {
      tally.injected += 1
      tally.acknowledged += expected.count
      // A new file, because a loop device that is not yet detached would return cached data.
      let name = "image\(tally.injected)"
      try folder.write(image, to: name)
      try RecordedDisk.run("mount -o loop \(name) mount && rm \(name)", in: folder)
      defer { _ = try? RecordedDisk.run("umount mount", in: folder) }
      var found: PlistDictionary = [:]
      if FileManager.default.fileExists(atPath: folder.path("mount/test.plist")) {
        do {
          found = try folder.values("mount/test.plist")
        } catch {
          tally.unreadable += 1
          tally.complaints.append("\(error)")
          return
        }
      }
      let lost = expected.filter { found[$0] != "x" }
      tally.lost += lost.count
      if !lost.isEmpty { tally.complaints.append("lost \(lost)") }
      // The next writer succeeds and cleans up.
      let run = try BuiltProgram("PreferencesTestProgram").run(
        [folder.path("mount/test.plist"), "set", "next", "x"], in: folder)
      if run.status != 0 { tally.complaints.append("the next writer: \(run.error)") }
      let names = Set(try folder.names("mount"))
        .subtracting(["test.plist", ".test.plist.lock", "lost+found"])
      tally.stray += names.count
      if !names.isEmpty { tally.complaints.append("left \(names)") }
    }
  }
}
