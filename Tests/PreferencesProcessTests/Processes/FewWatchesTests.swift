import Foundation
import Preferences
import PropertyList
import TestSupport
import Testing

extension ProcessTests {
  @Suite("A process with few inotify watches") struct FewWatchesTests {
    /// Why users cannot be given few watches here; nil if they can.
    static let obstacle: String? = {
      guard let folder = try? TemporaryFolder() else { return "no temporary folder" }
      let run = try? BuiltProgram("plutil").run("/usr/bin/env", Self.wrapper("true"), in: folder)
      return run?.status == 0
        ? nil : "no user namespace with a limit of its own: \(run?.error ?? "")"
    }()

    private static func wrapper(_ command: String...) -> [String] {
      [
        "unshare", "--user", "--map-root-user", "bash", "-c",
        #"echo 20 > /proc/sys/user/max_inotify_watches; exec "$@""#, "bash",
      ] + command
    }

    @Test(
      "It sees changes of any of 1,500 files, by polling",
      .enabled(if: obstacle == nil, "\(obstacle ?? "")"))
    func manyFiles() throws {
      let folder = try TemporaryFolder()
      let count = 1_500
      for number in 0..<count {
        let name = "test.plist-\(number)"
        try FileManager.default.createDirectory(
          atPath: folder.path(name), withIntermediateDirectories: false)
        try folder.write(Plist.write(["k": 0], as: .xml), to: name + "/k.plist")
      }
      let process = try TestProcess(
        folder.file, "poll-many", "\(count)", wrapper: Self.wrapper())
      let words = try #require(process.readLine()).split(separator: " ")
      #expect(Int(words[0]).map { $0 <= 20 } == true)
      #expect(Int(words[2]).map { $0 > count - 20 } == true)
      var slowest = Duration.zero
      for number in stride(from: 3, to: count, by: 149) {
        let start = ContinuousClock.now
        try folder.write(Plist.write(["k": 1], as: .xml), to: "test.plist-\(number)/k.plist")
        #expect(process.readLine() == "\(number)")
        slowest = max(slowest, .now - start)
      }
      print("Of \(count) polled files, each change was seen within \(slowest)")
      TestProcess.finish([process])
    }
  }
}
