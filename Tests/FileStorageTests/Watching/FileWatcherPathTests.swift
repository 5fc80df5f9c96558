import FileStorage
import Foundation
import TestSupport
import Testing

@Suite("A file watcher follows a path", .serialized)
struct FileWatcherPathTests {
  private let watcher = FileWatcher()
  private let temporary: TemporaryFolder

  init() throws {
    temporary = try TemporaryFolder()
  }

  private func path(_ name: String) -> String { temporary.path(name) }

  private func makeLink(_ name: String, to target: String) {
    #expect(symlink(target, path(name)) == 0)
  }

  /// Atomically replaces a link.
  private func switchLink(_ name: String, to target: String) {
    makeLink("new-link", to: target)
    #expect(rename(path("new-link"), path(name)) == 0)
  }

  @Test(
    "through a folder that is created later, on one level or several", arguments: ["a", "a/b/c"])
  func laterFolder(folder: String) async throws {
    let observer = FileObserver(watcher, path(folder + "/file"))
    try temporary.makeFolder(folder)
    try temporary.write("x", to: folder + "/file")
    #expect(await observer.sees("x"))
  }

  @Test("through folders that are created one by one")
  func gradually() async throws {
    let observer = FileObserver(watcher, path("a/b/c/file"))
    for folder in ["a", "a/b", "a/b/c"] {
      let calls = observer.calls
      try temporary.makeFolder(folder)
      #expect(await eventually { observer.calls > calls })
    }
    try temporary.write("x", to: "a/b/c/file")
    #expect(await observer.sees("x"))
    #expect(await eventually { watcher.statistics.watchCount == 6 })
  }

  @Test("through folders that are renamed into place with their contents")
  func preparedFolder() async throws {
    try temporary.makeFolder("prepared/b/c")
    try temporary.write("x", to: "prepared/b/c/file")
    let observer = FileObserver(watcher, path("a/b/c/file"))
    #expect(rename(path("prepared"), path("a")) == 0)
    #expect(await observer.sees("x"))
    try temporary.write("y", to: "a/b/c/file")
    #expect(await observer.sees("y"))
  }

  @Test("through a folder that is removed and created again", arguments: [false, true])
  func removedFolder(isHeldOpen: Bool) async throws {
    try temporary.makeFolder("a/b")
    let observer = FileObserver(watcher, path("a/b/file"))
    for number in 1...20 {
      try temporary.write("\(number)", to: "a/b/file")
      #expect(await observer.sees("\(number)"))
      // The kernel does not report the removal of a folder that is held open.
      let descriptors = ["a", "a/b"].map { isHeldOpen ? open(path($0), O_RDONLY) : -1 }
      try FileManager.default.removeItem(atPath: path("a/b/file"))
      if number % 2 == 0 { #expect(await observer.sees("-")) }
      try FileManager.default.removeItem(atPath: path("a"))
      if number % 4 == 0 { try await Task.sleep(for: .milliseconds(5)) }
      try temporary.makeFolder("a/b")
      for descriptor in descriptors where descriptor >= 0 { close(descriptor) }
    }
  }

  @Test("through an empty folder that another is renamed over")
  func replacedFolder() async throws {
    try temporary.makeFolder("a")
    try temporary.makeFolder("prepared")
    try temporary.write("x", to: "prepared/file")
    let held = open(path("a"), O_RDONLY)
    defer { close(held) }
    let observer = FileObserver(watcher, path("a/file"))
    #expect(rename(path("prepared"), path("a")) == 0)
    #expect(await observer.sees("x"))
  }

  @Test("through a folder that is moved away, and one that replaces it")
  func movedFolder() async throws {
    try temporary.makeFolder("a/b/c")
    try temporary.write("old", to: "a/b/c/file")
    let observer = FileObserver(watcher, path("a/b/c/file"))
    #expect(rename(path("a"), path("moved")) == 0)
    #expect(await observer.sees("-"))
    try temporary.makeFolder("prepared/b/c")
    try temporary.write("new", to: "prepared/b/c/file")
    #expect(rename(path("prepared"), path("a")) == 0)
    #expect(await observer.sees("new"))
    try temporary.write("newer", to: "a/b/c/file")
    #expect(await observer.sees("newer"))
    let calls = observer.calls
    try temporary.write("older", to: "moved/b/c/file")
    try temporary.write("newest", to: "a/b/c/file")
    #expect(await observer.sees("newest"))
    #expect(observer.calls > calls)
    #expect(await eventually { watcher.statistics.watchCount == 6 })
  }

  @Test("through a link to a file, whose content changes and which is switched")
  func linkedFile() async throws {
    for folder in ["links", "one", "two"] { try temporary.makeFolder(folder) }
    try temporary.write("1", to: "one/file")
    try temporary.write("2", to: "two/file")
    makeLink("links/file", to: "../one/file")
    let observer = FileObserver(watcher, path("links/file"))
    try temporary.write("1+", to: "one/file")
    #expect(await observer.sees("1+"))
    switchLink("links/file", to: path("two/file"))
    #expect(await observer.sees("2"))
    try temporary.write("2+", to: "two/file")
    #expect(await observer.sees("2+"))
    #expect(unlink(path("links/file")) == 0)
    #expect(await observer.sees("-"))
    try temporary.write("plain", to: "links/file")
    #expect(await observer.sees("plain"))
    #expect(await eventually { watcher.statistics.watchCount == 4 })
  }

  @Test("through a link to a folder, which is switched as by Kubernetes")
  func linkedFolder() async throws {
    for number in 1...20 {
      try temporary.makeFolder("..\(number)")
      try temporary.write("\(number)", to: "..\(number)/file")
    }
    makeLink("..data", to: "..1")
    makeLink("file", to: "..data/file")
    let observer = FileObserver(watcher, path("file"))
    for number in 2...20 {
      switchLink("..data", to: "..\(number)")
      try FileManager.default.removeItem(atPath: path("..\(number - 1)"))
      if number % 3 == 0 { #expect(await observer.sees("\(number)")) }
    }
    #expect(await observer.sees("20"))
    #expect(await eventually { watcher.statistics.watchCount == 4 })
  }

  @Test("through a link that leads nowhere until its target appears")
  func danglingLink() async throws {
    makeLink("link", to: "a/b/file")
    let observer = FileObserver(watcher, path("link"))
    try temporary.makeFolder("a/b")
    try temporary.write("x", to: "a/b/file")
    #expect(await observer.sees("x"))
    #expect(unlink(path("a/b/file")) == 0)
    #expect(await observer.sees("-"))
    try temporary.write("y", to: "a/b/file")
    #expect(await observer.sees("y"))
  }

  @Test("through links that lead in a circle until one of them is repaired")
  func linkLoop() async throws {
    makeLink("one", to: "two")
    makeLink("two", to: "three/file")
    makeLink("three", to: "one")
    let observer = FileObserver(watcher, path("one"))
    #expect(watcher.statistics.polledCount == 0)
    try temporary.write("x", to: "file")
    switchLink("three", to: ".")
    #expect(await observer.sees("x"))
  }

  @Test("through a file in the place of a folder, until it is one")
  func fileForFolder() async throws {
    try temporary.write("x", to: "a")
    let observer = FileObserver(watcher, path("a/file"))
    #expect(unlink(path("a")) == 0)
    try temporary.makeFolder("a")
    try temporary.write("y", to: "a/file")
    #expect(await observer.sees("y"))
  }

  @Test("while everything on it changes at once")
  func churn() async throws {
    makeLink("link", to: "a/b")
    let observer = FileObserver(watcher, path("link/file"))
    for number in 1...200 {
      try temporary.makeFolder("new/b")
      try temporary.write("\(number)", to: "new/b/file")
      if number > 1 { #expect(rename(path("a"), path("old")) == 0) }
      #expect(rename(path("new"), path("a")) == 0)
      if number % 7 == 0 { switchLink("link", to: number % 2 == 0 ? path("a/b") : "a/./b") }
      if number > 1 { try FileManager.default.removeItem(atPath: path("old")) }
    }
    #expect(await observer.sees("200"))
    #expect(await eventually { watcher.statistics.watchCount == 5 })
    try temporary.write("end", to: "a/b/file")
    #expect(await observer.sees("end"))
  }
}
