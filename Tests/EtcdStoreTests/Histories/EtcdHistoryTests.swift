#if Etcd
  import Foundation
  import SyncHistories
  import TestSupport
  import Testing
  import Threading

  @Suite("Histories of machines and a cluster with faults", .timeLimit(.minutes(30)), .serialized)
  struct EtcdHistoryTests {
    /// The seed, and how long faults happen.
    private static let environment = ProcessInfo.processInfo.environment
    private static let seed =
      environment["LARDER_HISTORY_SEED"].flatMap { UInt64($0) } ?? UInt64.random(in: 1...999_999)
    private static let seconds = environment["LARDER_HISTORY_SECONDS"].flatMap { Int($0) } ?? 10

    @Test("Nothing is lost, and all agree in the end, whatever fails meanwhile")
    func history() async throws {
      let seed = Self.seed
      if let obstacle = TestNetwork.obstacle { print("Nothing is cut off: \(obstacle).") }
      let isIsolated = TestNetwork.obstacle == nil
      print(
        "The history of \(Self.seconds) s has the seed \(seed); LARDER_HISTORY_SEED repeats it.")
      let fleet = try await TestFleet(
        machineCount: 5, patientCount: 1, keys: (0..<8).map { "k\($0)" }, isolated: isIsolated)
      let counts = Lock<[FleetFault: Int]>([:])
      let end = ContinuousClock.now + .seconds(Self.seconds)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for machine in fleet.machines {
          group.addTask { try await Self.use(machine, fleet.keys, until: end, seed: seed) }
        }
        for (number, faults) in [FleetFault.ofMachines, FleetFault.ofMembers].enumerated() {
          group.addTask {
            var generator = SeededGenerator(seed: seed &+ 1000 &+ UInt64(number))
            let possible = faults.filter { isIsolated || !$0.needsNetwork }
            while ContinuousClock.now < end {
              let fault = possible.randomElement(using: &generator)!
              counts.withLock { $0[fault, default: 0] += 1 }
              let time = Duration.milliseconds(Int.random(in: 100...2500, using: &generator))
              try await fault.happen(to: fleet, for: time, using: &generator)
              try await Task.sleep(
                for: .milliseconds(Int.random(in: 50...1500, using: &generator)))
            }
          }
        }
        try await group.waitForAll()
      }
      try await fleet.recordEnd()

      let events = fleet.log.events
      let uploads = Set(
        events.compactMap { if case .uploaded(let number) = $0 { number } else { nil } })
      let writes = events.count { if case .saved = $0 { true } else { false } }
      let faults = counts.withLock { $0 }.map { "\($1) \($0)" }.sorted().joined(separator: ", ")
      print(
        "The history has \(writes) saved writes, \(uploads.count) confirmed by the cluster; \(faults)."
      )
      #expect(writes > 0)
      #expect(!uploads.isEmpty)
      for violation in fleet.log.report() { Issue.record("seed \(seed): \(violation)") }
    }

    /// Sets and removes keys at random, and waits for uploads now and then.
    private static func use(
      _ machine: FleetMachine, _ keys: [String], until end: ContinuousClock.Instant, seed: UInt64
    ) async throws {
      var generator = SeededGenerator(seed: seed &+ UInt64(machine.number))
      while ContinuousClock.now < end {
        if machine.isRunning {
          let key = keys.randomElement(using: &generator)!
          let isRemoval = Int.random(in: 0..<6, using: &generator) == 0
          _ = try await machine.write(key, isRemoval: isRemoval)
          if Int.random(in: 0..<4, using: &generator) == 0 { machine.beginUpload() }
        }
        try await Task.sleep(for: .milliseconds(Int.random(in: 0...60, using: &generator)))
      }
    }
  }
#endif
