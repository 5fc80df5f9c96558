import Foundation
import PreferencesSync
import PreferencesSyncTesting
import SyncHistories
import TestSupport
import Testing
import Threading

@Suite("Histories of machines with a remote store in memory", .timeLimit(.minutes(30)))
struct HistoryTests {
  /// A defect that a run has on purpose.
  enum Defect: CaseIterable {
    /// Each machine has a separate remote store.
    case separateStores
    /// Machines acknowledge some values that they do not set.
    case lostWrites
    /// Machines set values that are not recorded.
    case foreignWrites

    /// The rule that the defect breaks in some run.
    var rule: HistoryViolation.Rule {
      switch self {
      case .separateStores: .converges
      case .lostWrites: .keepsSaved
      case .foreignWrites: .invents
      }
    }
  }

  private static let keys = ["a", "b", "c"]
  private static let year = 31_536_000.0

  @Test("Nothing is lost, and all agree in the end, whatever fails meanwhile")
  func histories() async throws {
    let environment = ProcessInfo.processInfo.environment
    let first =
      environment["LARDER_HISTORY_SEED"].flatMap { UInt64($0) } ?? .random(in: 1...999_999)
    let seconds = environment["LARDER_HISTORY_SECONDS"].flatMap { Int($0) } ?? 2
    print("The histories in memory begin with the seed \(first); LARDER_HISTORY_SEED repeats it.")
    let end = ContinuousClock.now + .seconds(seconds)
    let counts = Lock((seeds: UInt64(0), events: 0, removals: 0))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          repeat {
            let seed = counts.withLock { counts in
              counts.seeds += 1
              return first &+ counts.seeds - 1
            }
            let (log, removals) = try await Self.run(seed: seed)
            counts.withLock { counts in
              counts.events += log.events.count
              counts.removals += removals
            }
            for violation in log.report() { Issue.record("seed \(seed): \(violation)") }
          } while ContinuousClock.now < end
        }
      }
      try await group.waitForAll()
    }
    let (seeds, events, removals) = counts.withLock { $0 }
    print("\(seeds) histories in memory have \(events) events and \(removals) collected removals.")
    // A few histories may have no violation.
    #expect(seeds < 200 || removals > 0)
  }

  @Test("A defect is found", arguments: Defect.allCases)
  func defects(defect: Defect) async throws {
    var rules: Set<HistoryViolation.Rule> = []
    for seed in 1...20 as ClosedRange<UInt64> where !rules.contains(defect.rule) {
      let (log, _) = try await Self.run(seed: seed, defect)
      rules.formUnion(HistoryChecker.violations(of: log.events).map(\.rule))
    }
    #expect(rules.contains(defect.rule))
  }

  /// Lets four machines do random things, and records what they have in the end.
  ///
  /// - Returns: The history, and how many records of removals were collected.
  private static func run(seed: UInt64, _ defect: Defect? = nil) async throws -> (
    HistoryLog, removals: Int
  ) {
    var generator = SeededGenerator(seed: seed)
    let log = HistoryLog()
    let (cluster, remoteClock) = (InMemoryRemoteStore(), Clock())
    let (remote, registry) = (cluster.values(ofDomain: "d"), cluster.registry(ofDomain: "d"))
    let machines = try (0..<4).map { number in
      let store = defect == .separateStores ? InMemoryRemoteStore() : remote as any RemoteStore
      return try RecordedMachine(
        number, keys, remote: UnreliableStore(store, clock: remoteClock),
        registry: UnreliableStore(registry, clock: remoteClock), log)
    }
    var seconds = 1000.0
    for _ in 0..<80 {
      let machine = machines.randomElement(using: &generator)!
      switch Int.random(in: 0..<20, using: &generator) {
      case 0..<9:
        let (key, isRemoval) = (
          keys.randomElement(using: &generator)!, Int.random(in: 0..<5, using: &generator) == 0
        )
        let isLost = defect == .lostWrites && Bool.random(using: &generator)
        machine.write(key, isRemoval: isRemoval, isLost: isLost)
        if defect == .foreignWrites { machine.writeUnrecorded(key) }
      case 9, 10:
        // Time passes, and clocks are wrong now and then, also the remote store's.
        seconds += Double.random(in: 0...30, using: &generator).rounded()
        remoteClock.set(seconds + [0, 0, 0, 0, year, -year].randomElement(using: &generator)!)
        let offset = [0, 0, 0, -20, 20, 3600, -3600, year, -year].randomElement(using: &generator)!
        machine.clock.set(seconds + offset)
      case 11...13:
        let fault = UnreliableStore.Fault.allCases.randomElement(using: &generator)!
        machine.faults.formSymmetricDifference([fault])
      case 14: machine.restart()
      case 15: cluster.compact()
      case 16: try await machine.makeLateChanges()
      default:
        if machine.faults.isEmpty { try await machine.wait() }
      }
    }
    for machine in machines {
      machine.faults = []
      try await machine.makeLateChanges()
    }
    // The first round uploads, the second one downloads.
    for _ in 0..<2 { for machine in machines { try await machine.wait() } }
    for machine in machines { machine.recordEnd() }
    try await RecordedMachine.recordEnd(of: remote.entries().entries, keys, log)
    return (log, cluster.counts.removals)
  }
}
