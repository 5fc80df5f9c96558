import FileStorage
import Foundation
import TestSupport
import Testing
import Threading

@Suite("A file watcher", .serialized)
struct FileWatcherTests {
  /// How changes are detected.
  enum Means: CaseIterable {
    case events
    case polling
  }

  private let watcher = FileWatcher()
  private let temporary: TemporaryFolder
  private let path: String

  init() throws {
    temporary = try TemporaryFolder()
    path = temporary.path("file")
  }

  private func watcher(_ means: Means) -> FileWatcher {
    var options = FileWatcher.Options()
    options.usesInotify = means == .events
    options.pollingInterval = .milliseconds(5)
    return FileWatcher(options: options)
  }

  /// Renames a new file over the file.
  private func replace(_ text: String, _ name: String = "file") throws {
    try temporary.write(text, to: "new")
    #expect(rename(temporary.path("new"), temporary.path(name)) == 0)
  }

  /// Rewrites the file in place.
  private func overwrite(_ text: String) throws {
    let handle = try #require(FileHandle(forWritingAtPath: path))
    try handle.truncate(atOffset: 0)
    try handle.write(contentsOf: Data(text.utf8))
    try handle.close()
  }

  @Test(
    "reports that a file was replaced, rewritten, removed and created again",
    arguments: Means.allCases)
  func changes(means: Means) async throws {
    try temporary.write("one", to: "file")
    let observer = FileObserver(watcher(means), path)
    try replace("two")
    #expect(await observer.sees("two"))
    try overwrite("three")
    #expect(await observer.sees("three"))
    #expect(unlink(path) == 0)
    #expect(await observer.sees("-"))
    try temporary.write("four", to: "file")
    #expect(await observer.sees("four"))
    try overwrite("five")
    #expect(await observer.sees("five"))
    #expect(rename(path, temporary.path("other")) == 0)
    #expect(await observer.sees("-"))
    #expect(rename(temporary.path("other"), path) == 0)
    #expect(await observer.sees("five"))
  }

  @Test("reports writes of a program that keeps the file open", arguments: Means.allCases)
  func openFile(means: Means) async throws {
    try temporary.write("", to: "file")
    let handle = try #require(FileHandle(forWritingAtPath: path))
    let observer = FileObserver(watcher(means), path)
    var text = ""
    for letter in ["a", "b", "c"] {
      try handle.write(contentsOf: Data(letter.utf8))
      text += letter
      #expect(await observer.sees(text))
    }
    try handle.close()
  }

  @Test("reports changed permissions", arguments: Means.allCases)
  func permissions(means: Means) async throws {
    try temporary.write("x", to: "file")
    let observer = FileObserver(watcher(means), path) { path in
      var information = stat()
      return stat(path, &information) == 0 ? String(information.st_mode & 0o777, radix: 8) : "-"
    }
    for mode in [0o600, 0o644, 0o400] as [mode_t] {
      #expect(chmod(path, mode) == 0)
      #expect(await observer.sees(String(mode, radix: 8)))
    }
  }

  @Test("reports writes through another hard link")
  func hardLink() async throws {
    let other = try TemporaryFolder()
    try temporary.write("one", to: "file")
    #expect(link(path, other.path("other")) == 0)
    let observer = FileObserver(watcher, path)
    let handle = try #require(FileHandle(forWritingAtPath: other.path("other")))
    try handle.write(contentsOf: Data("two".utf8))
    #expect(await observer.sees("two"))
    try handle.close()
    try replace("three")
    #expect(await observer.sees("three"))
    #expect(await eventually { watcher.statistics.watchCount == 3 })
  }

  @Test("reports the last of many changes", arguments: ["replace", "rewrite", "remove", "mixed"])
  func manyChanges(kind: String) async throws {
    try temporary.write("0", to: "file")
    let observer = FileObserver(watcher, path)
    for number in 1...1000 {
      switch (kind, number % 3) {
      case ("replace", _), ("mixed", 0): try replace("\(number)")
      case ("rewrite", _), ("mixed", 1): try overwrite("\(number)")
      default:
        #expect(unlink(path) == 0)
        if number == 1000 || kind == "mixed" || number % 2 == 0 {
          try temporary.write("\(number)", to: "file")
        } else {
          try replace("\(number)")
        }
      }
    }
    #expect(await observer.sees("1000"))
    #expect(unlink(path) == 0)
    #expect(await observer.sees("-"))
  }

  @Test(
    "calls the handler of the changed file, and of no other", arguments: Means.allCases)
  func others(means: Means) async throws {
    let watcher = watcher(means)
    for name in ["file", "second", "foreign"] { try temporary.write("0", to: name) }
    try await Task.sleep(for: .milliseconds(50))
    let first = FileObserver(watcher, path)
    let second = FileObserver(watcher, temporary.path("second"))
    for number in 1...200 { try replace("\(number)", "foreign") }
    try replace("end", "second")
    #expect(await second.sees("end"))
    #expect(first.calls == 0)
    try replace("end")
    #expect(await first.sees("end"))
  }

  @Test("calls every handler of a file that is watched more than once")
  func sameFile() async throws {
    let observers = (0..<3).map { _ in FileObserver(watcher, path) }
    try temporary.write("x", to: "file")
    for observer in observers { #expect(await observer.sees("x")) }
    observers[0].cancel()
    try replace("y")
    #expect(await observers[1].sees("y"))
    #expect(await observers[2].sees("y"))
  }

  @Test("calls handlers one at a time, once for all changes before the call")
  func oneAtATime() async throws {
    let running = Lock((now: 0, most: 0))
    let state: @Sendable (String) -> String = { path in
      running.withLock {
        $0.now += 1
        $0.most = max($0.most, $0.now)
      }
      usleep(2000)
      running.withLock { $0.now -= 1 }
      return FileObserver.content(path)
    }
    let observers = (0..<4).map { FileObserver(watcher, temporary.path("\($0)"), recording: state) }
    for number in 1...500 {
      for name in 0..<4 { try temporary.write("\(number)", to: "\(name)") }
    }
    for observer in observers { #expect(await observer.sees("500")) }
    #expect(running.withLock { $0.most } == 1)
    #expect(observers.allSatisfy { $0.calls < 1000 })
  }

  @Test("resolves a path as the kernel does, with dots, doubled slashes and any letters")
  func spelling() async throws {
    let name = "ä ö\u{0301}\n日本"
    try temporary.makeFolder("folder")
    let observer = FileObserver(watcher, temporary.path + "//folder/.././/" + name)
    try temporary.write("x", to: name)
    #expect(await observer.sees("x"))
    let root = FileObserver(watcher, "/")
    let empty = FileObserver(watcher, "")
    let long = FileObserver(watcher, temporary.path(String(repeating: "n", count: 300)))
    #expect(watcher.statistics.fileCount == 4)
    withExtendedLifetime((root, empty, long)) {}
  }
}
