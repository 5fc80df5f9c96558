import Foundation
import PreferencesSync
import PreferencesSyncTesting
import PropertyList
import TestSupport
import Testing
import Threading

@testable import PreferencesSync

@Suite("Histories of machines whose files are replaced and copied", .timeLimit(.minutes(30)))
struct LastWriteTests {
  private static let keys = ["a", "b", "c", "d", "e"]

  @Test("The last write is the value at rest, whatever happens to files")
  func lastWrites() async throws {
    let environment = ProcessInfo.processInfo.environment
    let first =
      environment["LARDER_HISTORY_SEED"].flatMap { UInt64($0) } ?? .random(in: 1...999_999)
    let seconds = environment["LARDER_HISTORY_SECONDS"].flatMap { Int($0) } ?? 2
    print("The histories of files begin with the seed \(first); LARDER_HISTORY_SEED repeats it.")
    let end = ContinuousClock.now + .seconds(seconds)
    let count = Lock(UInt64(0))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          repeat {
            let seed = count.withLock { count in
              count += 1
              return first &+ count - 1
            }
            for problem in try await Self.run(seed: seed) {
              Issue.record("seed \(seed): \(problem)")
            }
          } while ContinuousClock.now < end
        }
      }
      try await group.waitForAll()
    }
    print("\(count.withLock { $0 }) histories of files have run.")
  }

  @Test("A write that is acknowledged and not made is found")
  func defect() async throws {
    var isFound = false
    for seed in 1...20 as ClosedRange<UInt64> where !isFound {
      isFound = try await !Self.run(seed: seed, losesWrites: true).isEmpty
    }
    #expect(isFound)
  }

  /// What the cluster knows.
  private struct Cluster {
    let store = InMemoryRemoteStore()

    func records() async throws -> [String: SyncRecord] {
      let entries = try await store.values(ofDomain: "d").entries().entries
      return Dictionary(
        uniqueKeysWithValues: try entries.map { ($0.key, try SyncRecord($0.data)) })
    }
  }

  /// Lets machines do random things.
  ///
  /// - Returns: What is wrong in the end.
  private static func run(seed: UInt64, losesWrites: Bool = false) async throws -> [String] {
    var generator = SeededGenerator(seed: seed)
    let (cluster, clock) = (Cluster(), Clock())
    var seconds = 1000.0
    var writes = LastWrites()
    var log: [String] = []

    func machine(_ number: Int, _ files: ReplacedMachine.Copy = [:]) throws -> ReplacedMachine {
      try ReplacedMachine(
        number, keys,
        values: UnreliableStore(cluster.store.values(ofDomain: "d"), clock: clock),
        registry: UnreliableStore(cluster.store.registry(ofDomain: "d"), clock: clock), clock,
        files)
    }
    var machines: [ReplacedMachine] = []
    for number in 0..<3 {
      machines.append(try machine(number))
      try await machines[number].start(isAnew: false)
      try await machines[number].wait()
    }
    var copies: [(machine: Int, files: ReplacedMachine.Copy)] = []
    var backup = cluster.store.backup
    var replaced: Set<Int> = []
    // What programs without stamps write has the time of the file, which later changes replace.
    let foreignKey = Int.random(in: 0..<4, using: &generator) == 0 ? keys[4] : nil
    if let foreignKey { writes.addTimeless(foreignKey) }

    for _ in 0..<100 {
      let machine = machines.randomElement(using: &generator)!
      let key = keys.randomElement(using: &generator)!
      seconds += Double.random(in: 1...10, using: &generator).rounded()
      clock.set(seconds)
      var step = ""
      switch Int.random(in: 0..<36, using: &generator) {
      case 0..<12:
        let isRemoval = Int.random(in: 0..<4, using: &generator) == 0
        if isRemoval, machine.value(key) == nil { continue }
        let value = writes.add(
          key, isRemoval: isRemoval, on: machine.number, at: clock.now)
        if machine.mayLackStamps { writes.addTimeless(key) }
        if losesWrites, Int.random(in: 0..<4, using: &generator) == 0 { continue }
        let time = try await machine.set(
          value, forKey: key, inOtherProcess: Bool.random(using: &generator))
        step = "\(key) = \(value ?? "none") at \(time.map { "\(Int($0))" } ?? "no time")"
      case 12, 13:
        machine.stop()
        step = "stops"
      case 14, 15:
        // Some keys may be left out of the configuration.
        let count = Int.random(in: 2...keys.count, using: &generator)
        try await machine.start(
          Array(keys.shuffled(using: &generator).prefix(count)),
          isAnew: Bool.random(using: &generator))
        step = "starts with \(count) keys"
      case 16, 17:
        machine.stop()
        try await machine.start(isAnew: Bool.random(using: &generator))
        step = "restarts"
      case 18:
        machine.stop()
        machine.hasSecondSynchronizer.toggle()
        try await machine.start(isAnew: false)
        step = "has \(machine.hasSecondSynchronizer ? "two synchronizers" : "one synchronizer")"
      case 19, 20:
        let fault = UnreliableStore.Fault.allCases.randomElement(using: &generator)!
        machine.faults.formSymmetricDifference([fault])
        step = "faults: \(machine.faults)"
      case 21:
        if Bool.random(using: &generator) {
          cluster.store.compact()
          step = "sees the history compacted"
        } else {
          try await machine.makeLateChanges()
          step = "has its late changes"
        }
      case 22, 23:
        copies.append((machine.number, try await machine.copy()))
        step = "is copied"
      case 24, 25:
        guard
          let copy = copies.filter({ $0.machine == machine.number })
            .randomElement(using: &generator)
        else { continue }
        var files = copy.files
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: files = files.filter { $0.key == ReplacedMachine.storeFile }
        case 1: files = files.filter { $0.key != ReplacedMachine.storeFile }
        default: break
        }
        step = "gets older \(files.keys.sorted())"
        let wasRunning = machine.isRunning
        if files.count != 1 || Bool.random(using: &generator) { machine.stop() }
        if files[ReplacedMachine.storeFile] != nil {
          replaced.insert(machine.number)
          writes.lose(
            keys, of: machine.number, except: try await cluster.records())
        }
        for key in keys {
          for case .string(let text)? in [ReplacedMachine.values(in: copy.files)[key]] {
            writes.addCopy(of: text, forKey: key)
          }
          writes.addCopy(of: machine.value(key), forKey: key)
        }
        try machine.write(files)
        if wasRunning { try await machine.start(isAnew: Bool.random(using: &generator)) }
      case 26:
        replaced.insert(machine.number)
        writes.lose(
          keys, of: machine.number, except: try await cluster.records())
        if Bool.random(using: &generator) {
          try machine.write([ReplacedMachine.storeFile: nil])
          step = "loses its file"
        } else {
          try await machine.recover()
          step = "recovers its file"
        }
      case 27 where machines.count < 5:
        // The clone does not have the changes that the original has not saved yet.
        let clone = try Self.clone(
          of: machine, try await machine.copy(), machines.count, machine(_:_:))
        for key in keys { writes.addCopy(of: clone.value(key), forKey: key) }
        machines.append(clone)
        try await clone.start(isAnew: false)
        step = "is cloned as \(clone.number)"
      case 28:
        // A value that is not synchronized has no time.
        let key = keys[0]
        writes.addTimeless(key)
        if machine.removed.contains(key) {
          machine.add(key)
          step = "adds \(key)"
        } else if machine.isRunning {
          machine.remove(key)
          step = "removes \(key)"
        }
      case 29:
        guard let foreignKey, !machine.isRunning else { continue }
        let value = writes.add(foreignKey, isRemoval: false, on: machine.number, at: clock.now)
        try await machine.rewrite(
          value, forKey: foreignKey, inPlace: Bool.random(using: &generator))
        step = "has another program that sets \(foreignKey)"
      case 30:
        if Bool.random(using: &generator) {
          backup = cluster.store.backup
          step = "sees a backup of the cluster"
        } else {
          cluster.store.restore(backup)
          for machine in machines { machine.dropLateChanges() }
          let records = try await cluster.records()
          for number in replaced { writes.lose(keys, of: number, except: records) }
          for case (let key, .string(let text)?) in records.mapValues(\.value) {
            writes.addCopy(of: text, forKey: key)
          }
          step = "sees an older cluster"
        }
      default:
        if machine.faults.isEmpty { try await machine.wait() }
        step = "waits"
      }
      log.append("  \(Int(seconds)): machine \(machine.number) \(step)")
    }

    for machine in machines {
      machine.faults = []
      try await machine.makeLateChanges()
      for key in machine.removed { machine.add(key) }
      machine.stop()
      try await machine.start(isAnew: false)
    }
    for _ in 0..<3 { for machine in machines { try await machine.wait() } }
    let records = try await cluster.records()
    var problems: [String] = []
    for key in keys {
      let found = machines.map { $0.value(key) }
      var remote: String?
      if case .string(let text)? = records[key]?.value { remote = text }
      if let other = found.first(where: { $0 != remote }) {
        problems.append("\(key) is \(other ?? "missing") and remotely \(remote ?? "missing")")
      } else if let problem = writes.problem(with: remote, forKey: key) {
        problems.append(problem + "\n" + writes.history(of: key))
      }
    }
    if !problems.isEmpty { problems.append(log.joined(separator: "\n")) }
    return problems
  }

  private static func clone(
    of machine: ReplacedMachine, _ files: ReplacedMachine.Copy, _ number: Int,
    _ make: (Int, ReplacedMachine.Copy) throws -> ReplacedMachine
  ) throws -> ReplacedMachine {
    let clone = try make(number, files)
    clone.hasSecondSynchronizer = machine.hasSecondSynchronizer
    return clone
  }
}
