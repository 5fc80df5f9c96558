import Foundation
import Preferences
import PropertyList
import TestSupport
import Testing
import Threading

extension FaultTests {
  @Suite("Damaged files") struct DamagedFileTests {
    private static let values: PlistDictionary = [
      "text": "value", "number": 7, "list": [true, 1.5], "data": .data(Data([1, 2, 3])),
    ]

    /// Damaged forms of a file, and what was done to each.
    private static func damaged(_ data: Data) -> [(how: String, data: Data)] {
      let bits = TestScale.isExhaustive ? Array(0..<8) : [0, 5]
      let cut = (0..<data.count).map { ("cut at \($0)", data.prefix($0)) }
      let flipped = data.indices.flatMap { index in
        bits.map { bit -> (String, Data) in
          var data = data
          data[index] ^= 1 << UInt8(bit)
          return ("bit \(bit) of byte \(index) flipped", data)
        }
      }
      return cut + flipped
    }

    @Test(
      "A truncated file, or one with a wrong bit, is refused and left alone, or read and kept",
      arguments: [PlistFormat.xml, .binary, .openStep])
    func damaged(format: PlistFormat) throws {
      let values = format == .openStep ? ["text": "value", "list": ["a", "b"]] : Self.values
      let damaged = Self.damaged(try Plist.write(.dictionary(values), as: format))
      let next = Lock(0)
      let total = Lock(FaultTally())
      // A store waits for some time for a program that may be in the middle of writing.
      let threads = (0..<48).map { _ in
        TestThread {
          while true {
            let index = next.withLock { next in
              defer { next += 1 }
              return next
            }
            guard index < damaged.count else { return }
            var tally = FaultTally(injected: 1)
            do {
              try Self.check(damaged[index].data, &tally)
            } catch {
              tally.complaints.append("\(error)")
            }
            tally.complaints = tally.complaints.map { "\(damaged[index].how): \($0)" }
            total.withLock { [tally] in $0 += tally }
          }
        }
      }
      for thread in threads { #expect(thread.join()) }
      total.withLock { $0 }.finish("19 cut off at each byte, each bit flipped\tstore, \(format)")
    }

    private static func check(_ data: Data, _ tally: inout FaultTally) throws {
      let folder = try TemporaryFolder()
      try folder.write(data, to: "test.plist")
      let store = PreferencesStore(fileAt: folder.file)
      let found = store.plistRepresentation
      store.set("new", forKey: "new key")
      let failure: PreferencesError?
      do throws(PreferencesError) {
        try store.flush()
        failure = nil
      } catch {
        failure = error
      }
      if let failure {
        if store.problems.count != 1 || !found.isEmpty {
          tally.complaints.append("\(failure), but problems: \(store.problems)")
        }
        if try folder.data("test.plist") != data {
          tally.unreadable += 1
          tally.complaints.append("overwritten")
        }
        // Nothing must be saved later.
        store.removeObject(forKey: "new key")
      } else {
        tally.acknowledged += 1
        var expected = found
        expected["new key"] = "new"
        if try !store.problems.isEmpty || folder.values() != expected {
          tally.lost += 1
          tally.complaints.append("\(found) became \(try folder.values()), \(store.problems)")
        }
      }
      let names = Set(try folder.names()).subtracting(["test.plist", ".test.plist.lock"])
      tally.stray += names.count
    }

    @Test(
      "A program refuses a damaged file and leaves it alone, or reads and changes it",
      arguments: FileEdit.ofEachProgram, [PlistFormat.xml, .binary])
    func programs(edit: FileEdit, format: PlistFormat) throws {
      let data = try Plist.write(["old": "value", "list": [1, true]], as: format)
      // defaults and the store wait for a program that may be in the middle of writing.
      let step = (TestScale.isExhaustive ? 1 : 16) * (edit.keepsLockFile ? 4 : 1)
      let damaged = Self.damaged(data).enumerated().filter { $0.offset % step == 0 }
      FaultTally.sum(over: damaged.map(\.element)) { how, damaged in
        let folder = try TemporaryFolder()
        try folder.write(damaged, to: "test.plist")
        let run = try edit.run(in: folder)
        let found = try folder.data("test.plist")
        var tally = FaultTally(injected: 1)
        switch run.status {
        case 0:
          tally.acknowledged += 1
          if found == damaged || (try? Plist.read(found)) == nil { tally.lost += 1 }
        case 1:
          if found != damaged { tally.unreadable += 1 }
        default: tally.complaints.append("\(how): status \(run.status), \(run.error)")
        }
        tally.stray = try folder.names().count { !edit.allowedNames(lockFile: false).contains($0) }
        return tally
      }
      .finish("19 cut off at each byte, each bit flipped\t\(edit), \(format)")
    }
  }
}
