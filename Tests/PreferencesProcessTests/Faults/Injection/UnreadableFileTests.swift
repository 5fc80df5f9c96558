import Foundation
import TestSupport
import Testing

extension FaultTests {
  @Suite("Files that cannot be read") struct UnreadableFileTests {
    init() throws {
      try #require(SystemCallTrace.obstacle == nil)
    }

    /// Commands that only read the file.
    static let reads: [FileEdit] = [
      ("defaults read", "defaults", ["read", "test"]),
      ("plutil -p", "plutil", ["-p", "FOLDER/test.plist"]),
      ("plutil -lint", "plutil", ["-lint", "FOLDER/test.plist"]),
      ("PlistBuddy Print", "PlistBuddy", ["-c", "Print", "FOLDER/test.plist"]),
    ].map { FileEdit(description: $0, program: BuiltProgram($1), arguments: $2) }

    /// All commands that need the file.
    static let commands = reads + FileEdit.all.filter { $0.before != nil }

    /// The obstacle: a fault in a call of the program, or something else at the path of the file.
    enum Obstacle: String, CaseIterable {
      case readError, openError, folder, link
    }

    /// Each command with each obstacle, except a folder for commands that search folders.
    static let cases = commands.flatMap { command in
      Obstacle.allCases
        .filter { $0 != .folder || command.description != "plutil -lint" }
        .map { (command, $0) }
    }

    @Test(
      "An unreadable file is an error within two seconds, and stays as it is", arguments: cases)
    func unreadable(command: FileEdit, obstacle: Obstacle) throws {
      var seconds: [Double] = []
      // The shortest of three runs counts: the machine may be busy.
      repeat {
        seconds.append(try Self.run(command, obstacle))
      } while seconds.last! >= 2 && seconds.count < 3
      #expect(seconds.last! < 2, "\(seconds)")
    }

    /// Runs a command and returns the time that it took, in seconds.
    private static func run(_ command: FileEdit, _ obstacle: Obstacle) throws -> Double {
      let folder = try TemporaryFolder()
      try command.prepare(folder)
      let before = try folder.data("test.plist")
      let file = folder.path("test.plist")
      var wrapper: [String] = []
      switch obstacle {
      case .readError, .openError:
        let call = obstacle == .readError ? "read:error=EIO" : "openat:error=EACCES"
        wrapper = [
          "strace", "-f", "-qq", "-o", "/dev/null", "-P", file, "-P", folder.path, "-e",
          "inject=\(call)",
        ]
      case .folder:
        try FileManager.default.removeItem(atPath: file)
        try FileManager.default.createDirectory(atPath: file, withIntermediateDirectories: false)
      case .link:
        try FileManager.default.removeItem(atPath: file)
        #expect(symlink("test.plist", file) == 0)
      }
      let run = try command.run(in: folder, wrapper: wrapper)
      #expect(run.status == 1)
      // The findings of plutil -lint are its output, as with Apple's.
      let report = run.error + run.text
      // defaults prints an additional first line.
      #expect((1...2).contains(report.split(separator: "\n").count), "\(report)")
      let reason =
        switch obstacle {
        case .readError: "Input/output error"
        case .openError: "Permission denied"
        case .folder: "is a directory"
        case .link: "Too many levels of symbolic links"
        }
      #expect(report.contains(reason), "\(report)")

      var tally = FaultTally(injected: 1)
      switch obstacle {
      case .readError, .openError:
        if try folder.data("test.plist") != before { tally.unreadable += 1 }
      case .folder:
        if try !folder.names("test.plist").isEmpty { tally.unreadable += 1 }
      case .link:
        let target = try FileManager.default.destinationOfSymbolicLink(atPath: file)
        if target != "test.plist" { tally.unreadable += 1 }
      }
      let strays = Set(try folder.names()).subtracting(command.allowedNames(lockFile: false))
      // A store may lock the file before it checks it.
      tally.stray = strays.subtracting([".test.plist.lock"]).count
      tally.finish("10 a file that cannot be read\t\(command)")
      return run.seconds
    }
  }
}
