import FileStorage
import Foundation
import Preferences
import PropertyList
import TestSupport
import Testing
import Threading

extension ProcessTests {
  @Suite("Changes by other processes") struct ExternalChangeTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Converts values to integers; values that are not numbers become nil.
    private func integers(_ values: [PlistValue?]) -> [Int64?] {
      values.map { if case .integer(let number)? = $0 { number } else { nil } }
    }

    @Test("A thousand changes are delivered in order, without a gap, up to the last")
    func thousand() throws {
      let store = PreferencesStore(fileAt: folder.file)
      let recorder = Recorder<PreferencesChange>()
      let token = store.observe("k") { recorder.record($0) }
      let count = 1000 * TestScale.rounds
      TestProcess.finish([try TestProcess(folder.file, "set-repeatedly", "k", "\(count)")])
      #expect(eventually { recorder.all.last?.newValue == .integer(Int64(count)) })
      let changes = recorder.all
      let (old, new) = (integers(changes.map(\.oldValue)), integers(changes.map(\.newValue)))
      #expect(old == [nil] + new.dropLast())
      #expect(new.allSatisfy { $0 != nil })
      #expect(zip(new, new.dropFirst()).allSatisfy { $0! < $1! })
      #expect(store.integer(forKey: "k") == count)
      withExtendedLifetime(token) {}
    }

    @Test(
      "Writes to the source of a file that is mounted by itself are seen",
      .enabled(if: MountNamespace.obstacle == nil, "\(MountNamespace.obstacle ?? "")"))
    func boundFile() throws {
      try folder.write("{ k = one; }", to: "source.plist")
      try folder.write("", to: "test.plist")
      let mount = "mount --bind source.plist test.plist && exec \"$@\""
      let process = try TestProcess(
        folder.file, "print-changes",
        wrapper: [
          "-C", folder.path, "timeout", "30", "unshare", getuid() == 0 ? "-m" : "-Urm", "bash",
          "-c", mount, "bash",
        ])
      #expect(process.readLine() == "one")
      for text in ["two", "three"] {
        let file = try #require(FileHandle(forWritingAtPath: folder.path("source.plist")))
        try file.truncate(atOffset: 0)
        try file.write(contentsOf: Data("{ k = \(text); }".utf8))
        try file.close()
        #expect(process.readLine() == text)
      }
      TestProcess.finish([process])
    }

    @Test("A file in a removed working folder is saved nowhere")
    func removedFolder() throws {
      for name in ["gone", "other"] {
        try FileManager.default.createDirectory(
          atPath: folder.path(name), withIntermediateDirectories: false)
      }
      let process = try TestProcess(
        "test.plist", "change-folder", folder.path("other"),
        wrapper: [
          "-C", folder.path("gone"), "bash", "-c", "rmdir ../gone; exec \"$@\"", "bash",
        ])
      #expect(
        process.readLine()
          == "/dev/null/removed-working-folder/test.plist: cannot create the folder: Not a directory"
      )
      TestProcess.finish([process])
      #expect(try folder.names() == ["other"])
      #expect(try folder.names("other") == [])
    }

    @Test("A program that observes nothing sees changes, too, once it has lived for a moment")
    func unobserved() throws {
      try PreferencesStore(fileAt: folder.file).update { $0 = ["key": "old"] }
      let process = try TestProcess(folder.file, "read-again", "key")
      #expect(process.readLine() == "old")
      // Files are watched from the first read after 200 milliseconds; this change comes earlier.
      try PreferencesStore(fileAt: folder.file).update { $0 = ["key": "new"] }
      usleep(250_000)
      process.writeLine("again")
      #expect(process.readLine() == "new")
      // Now the file is watched.
      try PreferencesStore(fileAt: folder.file).update { $0 = ["key": "newest"] }
      let isSeen = eventually {
        process.writeLine("again")
        return process.readLine() == "newest"
      }
      #expect(isSeen)
      process.writeLine("end")
      TestProcess.finish([process])
    }

    @Test("A read within an update does not wait for watching to start")
    func readInUpdate() throws {
      try PreferencesStore(fileAt: folder.file).update { $0 = ["key": "value"] }
      let process = try TestProcess(folder.file, "read-in-update", "key")
      #expect(process.readLines() == ["value", "value", "value"])
      TestProcess.finish([process])
    }

    @Test("Changes by two processes are delivered while the observing process writes, too")
    func several() throws {
      let store = PreferencesStore(fileAt: folder.file)
      let recorder = Recorder<PreferencesChange>()
      let keys = ["a", "b", "own"]
      let token = store.observe(keys) { recorder.record($0) }
      let count = 200 * TestScale.rounds
      let writers = try ["a", "b"].map { key in
        try TestProcess(folder.file, "set-repeatedly", key, "\(count)")
      }
      for number in 1...count {
        store.set(number, forKey: "own")
        if number % 10 == 0 { try store.flush() }
      }
      TestProcess.finish(writers)
      let last = PlistValue.integer(Int64(count))
      for key in keys {
        func changes() -> [PreferencesChange] { recorder.all.filter { $0.key == key } }
        #expect(eventually { changes().last?.newValue == last })
        let new = integers(changes().map(\.newValue))
        #expect(integers(changes().map(\.oldValue)) == [nil] + new.dropLast())
        #expect(zip(new, new.dropFirst()).allSatisfy { $0! < $1! })
      }
      try store.flush()
      #expect(try folder.values() == ["a": last, "b": last, "own": last])
      withExtendedLifetime(token) {}
    }

    @Test("A parent and its forked child are both notified of changes after the fork")
    func fork() throws {
      let process = try TestProcess(folder.file, "fork-observed")
      let lines = [process.readLine(), process.readLine()].compactMap { $0 }
      let roles = lines.map { $0.split(separator: " ").map(String.init) }
      #expect(Set(roles.map { $0[1] }) == ["parent", "child"])
      for value in ["one", "two"] {
        TestProcess.finish([try TestProcess(folder.file, "set", "k", value)])
        var lines: Set<String> = []
        let expected = Set(
          roles.flatMap { role in ["before", "after"].map { "\(role[0]) \($0) \(value)" } })
        while lines != expected, let line = process.readLine() { lines.insert(line) }
        #expect(lines == expected)
      }
      TestProcess.finish([process])
    }

    @Test("A child forked while another thread was calling the observer is notified")
    func forkInCall() throws {
      let process = try TestProcess(folder.file, "fork-in-handler")
      #expect(process.readLine() == "ready")
      TestProcess.finish([try TestProcess(folder.file, "set", "k", "one")])
      for number in 0..<8 { #expect(process.readLine() == "child own \(number)") }
      #expect(process.readLine() == "forked")
      TestProcess.finish([try TestProcess(folder.file, "set", "k", "two")])
      #expect(process.readLine() == "child two")
      process.writeLine("end the child")
      #expect(process.readLine() == "parent one")
      // The parent may have seen only some of them.
      var line = process.readLine()
      while let other = line, other.hasPrefix("parent own ") { line = process.readLine() }
      #expect(line == "parent two")
      TestProcess.finish([process])
    }

    @Test("Changes are not delivered while file watching is off, and all are once it is on again")
    func watching() throws {
      let process = try TestProcess(folder.file, "toggle-watching")
      #expect(process.readLine() == "ready")
      TestProcess.finish([try TestProcess(folder.file, "set", "k", "1")])
      #expect(process.readLine() == "changed to 1")
      process.writeLine("off")
      #expect(process.readLine() == "off")
      TestProcess.finish([try TestProcess(folder.file, "set", "k", "2")])
      process.writeLine("look")
      #expect(process.readLine() == "value 1")
      #expect(process.readLine() == "changed to 2")
      #expect(process.readLine() == "value 2")
      TestProcess.finish([try TestProcess(folder.file, "set", "k", "3")])
      process.writeLine("on")
      #expect(Set([process.readLine(), process.readLine()]) == ["on", "changed to 3"])
      TestProcess.finish([try TestProcess(folder.file, "set", "k", "4")])
      #expect(process.readLine() == "changed to 4")
      TestProcess.finish([process])
    }

    @Test("Flushing all saves every store except the one that another process has locked")
    func flushAll() throws {
      let holder = try TestProcess(folder.file + "-50", "hold-lock")
      #expect(holder.readLine() == "held")
      holder.send(SIGSTOP)
      let process = try TestProcess(folder.file, "flush-all", "100", "2")
      let error = try #require(process.readLine())
      #expect(error.hasPrefix("\(folder.file)-50: the file was still locked after "))
      #expect(error.hasSuffix("seconds (lock file .test.plist-50.lock); nothing was saved"))
      #expect(try #require(Int(process.readLine() ?? "")) < 10)
      TestProcess.finish([process])
      for index in 0..<100 where index != 50 {
        #expect(try folder.values("test.plist-\(index)") == ["key": .integer(Int64(index))])
      }
      #expect(!FileManager.default.fileExists(atPath: folder.file + "-50"))
      holder.send(SIGKILL)
      #expect(holder.wait() == 128 + SIGKILL)
    }

    @Test(
      "Flushing all waits for a store that another process has locked for a short time")
    func flushAllOfOneInUse() throws {
      let holder = try TestProcess(folder.file + "-50", "hold-lock")
      #expect(holder.readLine() == "held")
      let process = try TestProcess(folder.file, "flush-all", "100", "20")
      // Longer than one file's share of the timeout.
      usleep(1_500_000)
      holder.closeInput()
      #expect(process.readLine() == "saved")
      TestProcess.finish([process, holder])
      for index in 0..<100 {
        let values = try folder.values("test.plist-\(index)")
        #expect(values["key"] == .integer(Int64(index)))
      }
    }

    @Test("Flushing all accepts the longest timeout")
    func endlessFlushAll() throws {
      let process = try TestProcess(folder.file, "flush-all", "2", String(Int64.max))
      #expect(process.readLine() == "saved")
      TestProcess.finish([process])
      for index in 0..<2 {
        #expect(try folder.values("test.plist-\(index)") == ["key": .integer(Int64(index))])
      }
    }

    @Test("Two thousand stores use no more descriptors, watches and threads than one")
    func many() throws {
      let process = try TestProcess(folder.file, "observe-many", "2000")
      let before = try #require(process.readLine())
      #expect(process.readLine() == before)
      TestProcess.finish([process])
    }
  }
}
