import Foundation
import PropertyList
import TestSupport

/// A change of a property list by one run of a program.
struct FileEdit: Sendable, CustomStringConvertible {
  /// The program and its command, as a title.
  var description: String
  var program: BuiltProgram
  /// The arguments, where `FOLDER` stands for the folder.
  var arguments: [String]
  /// The values before; nil for no file.
  var before: PlistValue? = [
    "old": "value", "other": ["list", 1], "padding": .string(String(repeating: "x", count: 1500)),
  ]
  /// Whether the program leaves its lock file in place.
  var keepsLockFile = false
  /// The names of other files that the program writes.
  var otherFiles: [String] = []

  /// All programs and their ways of changing a file.
  static let all: [FileEdit] = {
    let store = BuiltProgram("PreferencesTestProgram")
    let defaults = BuiltProgram("defaults")
    let plutil = BuiltProgram("plutil")
    let buddy = BuiltProgram("PlistBuddy")
    let file = "FOLDER/test.plist"
    func edit(_ program: BuiltProgram, _ title: String, _ arguments: [String]) -> FileEdit {
      FileEdit(
        description: title, program: program, arguments: arguments,
        keepsLockFile: title.hasPrefix("store") || title.hasPrefix("defaults"))
    }
    var creation = edit(store, "store, a new file", [file, "set", "key", "x"])
    creation.before = nil
    return [
      edit(store, "store, a commit", [file, "set", "key", "x"]),
      creation,
      migration,
      edit(defaults, "defaults write", ["write", "test", "key", "x"]),
      edit(defaults, "defaults delete", ["delete", "test", "old"]),
      edit(defaults, "defaults import", ["import", "test", "FOLDER/import.plist"]),
      edit(plutil, "plutil -convert", ["-convert", "binary1", file]),
      edit(plutil, "plutil -insert", ["-insert", "key", "-string", "x", file]),
      edit(plutil, "plutil -replace", ["-replace", "old", "-string", "x", file]),
      edit(plutil, "plutil -remove", ["-remove", "old", file]),
      edit(buddy, "PlistBuddy Set", ["-c", "Set :old x", file]),
      edit(buddy, "PlistBuddy Add", ["-c", "Add :key string x", file]),
      edit(buddy, "PlistBuddy Delete", ["-c", "Delete :old", file]),
      edit(buddy, "PlistBuddy Save", ["-c", "Set :old x", "-c", "Save", file]),
    ]
  }()

  /// A migration, which also copies the file and moves a value to another domain.
  static let migration = {
    var edit = FileEdit(
      description: "store, a migration", program: BuiltProgram("PreferencesTestProgram"),
      arguments: ["FOLDER/test.plist", "migrate", "2"], keepsLockFile: true)
    edit.before = [
      "old": "value", "moved": 1, "padding": .string(String(repeating: "x", count: 1500)),
    ]
    edit.otherFiles = ["test.plist.version-0", "other.plist"]
    return edit
  }()

  /// One edit of each program.
  static let ofEachProgram = all.filter {
    [
      "store, a commit", "store, a migration", "defaults write", "plutil -replace",
      "PlistBuddy Set",
    ]
    .contains($0.description)
  }

  /// Puts the files in place that the program reads.
  func prepare(_ folder: TemporaryFolder) throws {
    if let before { try folder.write(Plist.write(before, as: .xml), to: "test.plist") }
    if arguments.contains("FOLDER/import.plist") {
      try folder.write(Plist.write(["key": "x"], as: .xml), to: "import.plist")
    }
  }

  /// The paths of the folder and of everything that the program uses in it.
  func paths(in folder: TemporaryFolder) -> [String] {
    let changed = (["test.plist"] + otherFiles).flatMap { [$0, ".\($0).lock", ".\($0).new"] }
    return [folder.path] + (changed + ["import.plist"]).map(folder.path)
  }

  /// The system calls of a run without faults on these paths, with paths for descriptors.
  func calls() throws -> [SystemCallTrace.Call] {
    let folder = try TemporaryFolder()
    let trace = try TemporaryFolder()
    try prepare(folder)
    let run = try run(
      in: folder,
      wrapper: ["strace", "-f", "-y", "-o", trace.path("trace")]
        + paths(in: folder).flatMap { ["-P", $0] })
    guard run.status == 0 else { throw Failure(description: run.error) }
    return SystemCallTrace(try trace.text("trace")).calls.filter { $0.name != "execve" }
  }

  /// Runs the program until it ends, at most for 30 seconds.
  ///
  /// - Parameter wrapper: A command that runs the program; the program and its arguments are
  ///   appended.
  func run(in folder: TemporaryFolder, wrapper: [String] = []) throws -> BuiltProgram.Run {
    var runner = program
    runner.environment["XDG_CONFIG_HOME"] = folder.path
    runner.environment["SWIFT_BACKTRACE"] = "enable=no"
    return try runner.run(
      "/usr/bin/timeout", ["-s", "KILL", "30"] + wrapper + command(in: folder), in: folder)
  }

  /// The program and its arguments.
  func command(in folder: TemporaryFolder) -> [String] {
    [program.path] + arguments.map { $0.replacing("FOLDER", with: folder.path) }
  }

  /// The contents of the file before and after a run without faults.
  func contents() throws -> (old: Data?, new: Data) {
    let folder = try TemporaryFolder()
    try prepare(folder)
    let old = try? folder.data("test.plist")
    let run = try run(in: folder)
    guard run.status == 0 else { throw Failure(description: run.error) }
    return (old, try folder.data("test.plist"))
  }

  /// The names of the files that may be there afterwards.
  func allowedNames(lockFile: Bool) -> Set<String> {
    var names: Set = ["test.plist"]
    if lockFile || keepsLockFile { names.insert(".test.plist.lock") }
    if arguments.contains("FOLDER/import.plist") { names.insert("import.plist") }
    for name in otherFiles {
      names.insert(name)
      if lockFile || name.hasSuffix(".plist") { names.insert(".\(name).lock") }
    }
    return names
  }

  /// An edit that failed without a fault.
  struct Failure: Error, CustomStringConvertible {
    var description: String
  }
}
