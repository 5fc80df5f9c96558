import Foundation
import Preferences
import PropertyList
import TestSupport
import Testing

extension ProcessTests {
  @Suite("A file that cannot be read for a while is not an empty one") struct UnknownFileTests {
    let folder: TemporaryFolder

    init() throws {
      folder = try TemporaryFolder()
      try #require(Trace.obstacle == nil)
      try PreferencesStore(fileAt: folder.file).update { $0["key"] = "theirs" }
    }

    /// Expects that a process that saves another key keeps the value of the file.
    private func expectKept(_ process: TestProcess, problem: String, saveError: String) throws {
      #expect(process.readLine() == problem)
      #expect(process.readLine() == saveError)
      #expect(process.readLine() == "theirs")
      TestProcess.finish([process])
      #expect(try folder.values() == ["key": "theirs", "other": "x"])
    }

    @Test(
      "It is looked at again by itself, and its values are kept",
      arguments: [
        ("EMFILE", "Too many open files"), ("ENFILE", "Too many open files in system"),
        ("ENOMEM", "Cannot allocate memory"), ("EIO", "Input/output error"),
        ("ESTALE", "Stale file handle"), ("EACCES", "Permission denied"),
      ])
    func failingCalls(code: String, message: String) throws {
      // The calls of each thread fail: at first all attempts, and then some later ones.
      let process = try TestProcess(
        folder.file, "wait-for-value", "key",
        wrapper: Trace.injection("openat", "error=\(code)", when: "1..3", in: folder))
      try expectKept(
        process, problem: "\(folder.file): cannot open: \(message)", saveError: "")
    }

    @Test("A few failures are not even noticed", arguments: ["EMFILE", "EIO", "ESTALE"])
    func fewFailures(code: String) throws {
      let process = try TestProcess(
        folder.file, "print-value", "key",
        wrapper: Trace.injection("openat", "error=\(code)", when: "1..2", in: folder))
      #expect(process.readLine() == "theirs")
      TestProcess.finish([process])
    }

    @Test("A process without free descriptors reads the file when it has some again")
    func descriptors() throws {
      let process = try TestProcess(
        folder.file, "wait-for-value", "key", "without-descriptors")
      let message = "\(folder.file): cannot open: Too many open files"
      try expectKept(process, problem: message, saveError: message)
    }
  }
}
