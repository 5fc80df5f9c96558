import Foundation
import Synchronization
import TestSupport
import Testing

@testable import FileStorage
@testable import Preferences

/// The simulated disk does what the system's does, operation by operation.
struct SimulatedDiskTests {
  private enum Operation: CaseIterable {
    case read, readSince, identity
    case lock, renew, readLocked, write, flush, compare, rename, flushFolder, flushPresent,
      moveAside
    case unlock
    case overwrite, replace, remove, removeLock
  }

  /// What another program does to the file.
  private struct Foreign {
    var overwrite: (Data) -> Void
    var replace: (Data) -> Void
    var remove: () -> Void
    var removeLock: () -> Void
  }

  /// Carries out operations in an order that follows from a seed, and says what each has done.
  private static func transcript(
    seed: UInt64, of disk: any Disk, at path: String, _ foreign: Foreign
  ) -> [String] {
    var generator = SeededGenerator(seed: seed)
    var lines: [String] = []
    var known: FileVersion?
    var file: (any LockedDomainFile)?
    /// How far a replacement has come.
    var stage = Operation.lock
    var size = 0
    // Each has another size, so that how fast timestamps change makes no difference.
    func newData() -> Data {
      size += 1
      return Data(repeating: UInt8(ascii: "x"), count: size)
    }
    func describe(_ read: ConditionalRead) -> String {
      known = read.version
      return switch read {
      case .missing: "missing"
      case .unchanged(let version): "unchanged \(version.identity.size)"
      case .contents(let contents): "\(contents.data.count) bytes"
      }
    }
    let limit = TimeLimit(.seconds(10), from: disk.now)
    for _ in 0..<60 {
      let operation = Operation.allCases.randomElement(using: &generator)!
      var result: String?
      do {
        switch (operation, file) {
        case (.read, _): result = describe(try disk.read(path, since: nil))
        case (.readSince, _): result = describe(try disk.read(path, since: known))
        case (.identity, _): result = "\(try disk.identity(of: path)?.size ?? -1)"
        case (.lock, nil):
          let new = try disk.lock(path, within: limit, keepsLockFile: true) { _ in }
          // The first read may rely on a check when the lock was taken, unless its timestamps are
          // racy.
          result = describe(try new.read(since: nil, comparesBytes: true))
          file = new
          stage = .lock
        case (.renew, let file?):
          try file.renewLock(within: limit)
          result = "renewed"
        case (.readLocked, let file?):
          result = describe(try file.read(since: known, comparesBytes: true))
        case (.write, let file?) where stage == .lock:
          known = try file.read(since: nil, comparesBytes: true).version
          try file.writeTemporary(newData(), inPlaceOf: known)
          stage = .write
          result = "written"
        case (.flush, let file?) where stage == .write:
          try file.flushTemporary()
          stage = .flush
          result = "flushed"
        case (.compare, let file?) where stage == .flush:
          let isHeld = try file.holdsExpectedVersion()
          stage = isHeld ? .compare : .lock
          result = "\(isHeld)"
        case (.rename, let file?) where stage == .compare:
          known = try file.putTemporaryInPlace()
          stage = .rename
          result = "\(known?.identity.size ?? -1)"
        case (.flushFolder, let file?) where stage == .rename:
          try file.flushFolder()
          stage = .lock
          result = "flushed"
        case (.flushPresent, let file?) where stage == .lock:
          try file.flushPresent()
          result = "flushed"
        case (.moveAside, let file?) where stage == .lock:
          result = "\(try file.moveAside(suffix: "-aside") != nil)"
        case (.unlock, let held?) where stage == .lock:
          held.unlock()
          file = nil
          result = "unlocked"
        case (.overwrite, _): foreign.overwrite(newData())
        case (.replace, _): foreign.replace(newData())
        case (.remove, _): foreign.remove()
        case (.removeLock, _): foreign.removeLock()
        default: continue
        }
      } catch {
        result = "\(error)"
      }
      lines.append("\(operation): \(result ?? "done")")
    }
    file?.unlock()
    return lines
  }

  @Test(arguments: 0..<200 as Range<UInt64>)
  func doesWhatTheSystemDoes(seed: UInt64) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("file.plist")
    let system = Self.transcript(
      seed: seed, of: SystemDisk(), at: path,
      Foreign(
        overwrite: { data in
          if let file = FileHandle(forWritingAtPath: path) {
            try? file.truncate(atOffset: 0)
            file.write(data)
          } else {
            try? data.write(to: URL(filePath: path))
          }
        },
        replace: { data in
          try? data.write(to: URL(filePath: path + "-foreign"))
          rename(path + "-foreign", path)
        },
        remove: { unlink(path) }, removeLock: { unlink(folder.path(".file.plist.lock")) }))

    let machine = Machine()
    let worker = Worker()
    defer { worker.end() }
    let process = SimulatedProcess(
      0, machine, worker, hasCheck: false, hasCopy: false, polls: false, delay: .zero)
    defer { process.kill() }
    let simulated = Mutex<[String]>([])
    process.start {
      let lines = Self.transcript(
        seed: seed, of: SimulatedDisk(process: process), at: Machine.path,
        Foreign(
          overwrite: machine.overwrite, replace: machine.replaceUnsafely,
          remove: { if machine.exists { machine.remove(Machine.file) } },
          removeLock: machine.removeLockFile))
      simulated.withLock { $0 = lines }
    }
    while process.mayContinue {
      machine.pass(.milliseconds(5))
      process.resume()
    }
    #expect(!process.isBusy)
    #expect(simulated.withLock { $0 } == system)
  }
}
