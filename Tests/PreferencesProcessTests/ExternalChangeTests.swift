import FileStorage
import Foundation
import Preferences
import PropertyList
import TestSupport
import Testing
import Threading

extension ProcessTests {
  @Suite("Changes by other processes") struct LiveTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// The integers among values.
    private func integers(_ values: [PlistValue?]) -> [Int64?] {
      values.map { if case .integer(let number)? = $0 { number } else { nil } }
    }

    @Test("A thousand changes are delivered in order, without a gap, up to the last")
    func thousand() throws {
      let store = PreferencesStore(fileAt: folder.file)
      let heard = Lock<[PreferencesChange]>([])
      let token = store.observe("k") { change in heard.withLock { $0.append(change) } }
      TestProcess.finish([try TestProcess(folder.file, "save", "k", "1000")])
      #expect(eventually { heard.withLock { $0.last?.newValue } == 1000 })
      let changes = heard.withLock { $0 }
      let (old, new) = (integers(changes.map(\.oldValue)), integers(changes.map(\.newValue)))
      #expect(old == [nil] + new.dropLast())
      #expect(new.allSatisfy { $0 != nil })
      #expect(zip(new, new.dropFirst()).allSatisfy { $0! < $1! })
      #expect(store.integer(forKey: "k") == 1000)
      withExtendedLifetime(token) {}
    }

    @Test("Changes by two processes are delivered while the observing process writes, too")
    func several() throws {
      let store = PreferencesStore(fileAt: folder.file)
      let heard = Lock<[PreferencesChange]>([])
      let keys = ["a", "b", "own"]
      let token = store.observe(keys) { change in heard.withLock { $0.append(change) } }
      let writers = try ["a", "b"].map { try TestProcess(folder.file, "save", $0, "200") }
      for number in 1...200 {
        store.set(number, forKey: "own")
        if number % 10 == 0 { try store.flush() }
      }
      TestProcess.finish(writers)
      for key in keys {
        func changes() -> [PreferencesChange] { heard.withLock { $0 }.filter { $0.key == key } }
        #expect(eventually { changes().last?.newValue == 200 })
        let new = integers(changes().map(\.newValue))
        #expect(integers(changes().map(\.oldValue)) == [nil] + new.dropLast())
        #expect(zip(new, new.dropFirst()).allSatisfy { $0! < $1! })
      }
      try store.flush()
      #expect(try folder.values() == ["a": 200, "b": 200, "own": 200])
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
        var told: Set<String> = []
        let expected = Set(
          roles.flatMap { role in ["before", "after"].map { "\(role[0]) \($0) \(value)" } })
        while told != expected, let line = process.readLine() { told.insert(line) }
        #expect(told == expected)
      }
      TestProcess.finish([process])
    }

    @Test("A child forked while another thread was calling the observer is notified")
    func forkInCall() throws {
      let process = try TestProcess(folder.file, "fork-in-call")
      #expect(process.readLine() == "ready")
      TestProcess.finish([try TestProcess(folder.file, "set", "k", "one")])
      for number in 0..<8 { #expect(process.readLine() == "child own \(number)") }
      #expect(process.readLine() == "forked")
      TestProcess.finish([try TestProcess(folder.file, "set", "k", "two")])
      #expect(process.readLine() == "child two")
      process.write("end the child")
      #expect(process.readLine() == "parent one")
      // It may not have seen each of them.
      var line = process.readLine()
      while let other = line, other.hasPrefix("parent own ") { line = process.readLine() }
      #expect(line == "parent two")
      TestProcess.finish([process])
    }

    @Test("Changes are not delivered while file watching is off, and all are once it is on again")
    func watching() throws {
      let process = try TestProcess(folder.file, "watch-again")
      #expect(process.readLine() == "ready")
      TestProcess.finish([try TestProcess(folder.file, "set", "k", "1")])
      #expect(process.readLine() == "heard 1")
      process.write("off")
      #expect(process.readLine() == "off")
      TestProcess.finish([try TestProcess(folder.file, "set", "k", "2")])
      process.write("look")
      #expect(process.readLine() == "sees 1")
      #expect(process.readLine() == "heard 2")
      #expect(process.readLine() == "sees 2")
      TestProcess.finish([try TestProcess(folder.file, "set", "k", "3")])
      process.write("on")
      #expect(Set([process.readLine(), process.readLine()]) == ["on", "heard 3"])
      TestProcess.finish([try TestProcess(folder.file, "set", "k", "4")])
      #expect(process.readLine() == "heard 4")
      TestProcess.finish([process])
    }

    @Test("Flushing all saves every store except the one that another process has locked")
    func flushAll() throws {
      let holder = try TestProcess(folder.file + "-50", "hold")
      #expect(holder.readLine() == "held")
      holder.send(SIGSTOP)
      let process = try TestProcess(folder.file, "flush-all", "100", "2")
      #expect(
        process.readLine()
          == "\(PreferencesError.storage(path: folder.file + "-50", Self.timeout))")
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
      let holder = try TestProcess(folder.file + "-50", "hold")
      #expect(holder.readLine() == "held")
      let process = try TestProcess(folder.file, "flush-all", "100", "20")
      // Longer than the share of one file.
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

    private static let timeout = SystemError(
      "get the lock, which another process holds", code: ETIMEDOUT)

    @Test("Two thousand stores use no more descriptors, watches and threads than one")
    func many() throws {
      let process = try TestProcess(folder.file, "observe-many", "2000")
      let before = try #require(process.readLine())
      #expect(process.readLine() == before)
      TestProcess.finish([process])
    }
  }
}
