#if Etcd
  import EtcdStore
  import Foundation
  import Preferences
  import PreferencesSync
  import PropertyList
  import SyncHistories
  import TestSupport
  import Testing
  import Threading

  /// Each runs while nothing else does. It expects that nothing is lost, not how long it takes.
  @Suite("Figures of a fleet beside their targets", .timeLimit(.minutes(30)), .serialized)
  struct FigureTests {
    /// Starts machines on loopback, which all have the same keys. Several have their files in memory.
    private static func machines(
      _ count: Int, _ server: EtcdServer, _ keys: [String], _ more: [String: String] = [:],
      onLine: @escaping @Sendable (_ machine: Int, [String]) -> Void = { _, _ in }
    ) async throws -> [MachineProcess] {
      let settings = [
        "endpoints": server.endpoint, "keys": keys.joined(separator: ","), "impatient": "yes",
      ].merging(more) { $1 }
      let machines = try (0..<count).map { number in
        try MachineProcess(settings, isInMemory: count > 1) { onLine(number, $0) }
      }
      try await blocking { for machine in machines { try machine.launch() } }
      try await waitForAll(machines)
      return machines
    }

    private static func waitForAll(_ machines: [MachineProcess]) async throws {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for machine in machines { group.addTask { try await machine.waitForCompletion() } }
        try await group.waitForAll()
      }
    }

    private static func store(_ server: EtcdServer) throws -> EtcdStore {
      try EtcdStore(EtcdStore.Options(endpoints: [server.endpoint]))
    }

    /// Puts the values `<name> of <key>`, as another machine would, over what is there.
    private static func put(_ keys: [String], _ name: String, to store: EtcdStore) async throws {
      let present = try await store.entries().entries.map { ($0.key, $0.revision) }
      let revisions = Dictionary(present) { $1 }
      let results = try await store.apply(
        try keys.map { key in
          let record = try SyncRecord(
            time: HybridTime(date: .now), value: .string("\(name) of \(key)"))
          return RemoteChange(key: key, data: record.data, replacing: revisions[key] ?? 0)
        })
      for result in results {
        guard case .stored = result else { throw RemoteStoreError.unreachable }
      }
    }

    @Test("A machine gets a thousand keys")
    func initialSynchronization() async throws {
      let server = try await EtcdServer.start()
      let keys = (0..<1000).map { "k\($0)" }
      try await Self.put(keys, "first", to: try Self.store(server))
      let machine = try MachineProcess([
        "endpoints": server.endpoint, "keys": keys.joined(separator: ","), "quiet": "yes",
      ])
      let start = ContinuousClock.now
      try await blocking { try machine.launch() }
      try await machine.waitForCompletion()
      let time = ContinuousClock.now - start
      let values = try await machine.values()
      #expect(keys.allSatisfy { values[$0] == "first of \($0)" })
      Figures.report(
        "1,000 keys, from the start of the process to the end of the first synchronization",
        target: "2 s", Figures.text(time))
    }

    @Test("Twenty machines see a change")
    func latency() async throws {
      let server = try await EtcdServer.start()
      let (machineCount, changeCount) = (20, 100)
      let seen = Lock<[Int: [UInt64]]>([:])
      let starts = Lock<[Int: UInt64]>([:])
      let machines = try await Self.machines(machineCount + 1, server, ["k"], ["interval": "0"]) {
        machine, words in
        if words[0] == "saved", let number = Int(words[1]) {
          starts.withLock { $0[number] = UInt64(words[2]) }
        } else if words[0] == "observed", words.count == 4, machine > 0 {
          guard let number = Int(words[3]), let time = UInt64(words[1]) else { return }
          seen.withLock { $0[number, default: []].append(time) }
        }
      }
      for number in 1...changeCount {
        machines[0].send("set \(number) k \(number)")
        // The next one is a change by itself.
        try #require(
          await eventually {
            seen.withLock { $0[number]?.count ?? 0 } == machineCount
              && starts.withLock { $0[number] } != nil
          })
      }
      let times = seen.withLock { seen in
        starts.withLock { starts in
          starts.flatMap { number, start in
            (seen[number] ?? []).map { Duration.nanoseconds(Int64($0) - Int64(start)) }
          }
        }
      }.sorted()
      #expect(times.count == machineCount * changeCount)
      Figures.report(
        "a change is seen by 20 processes with their files in memory, median", target: "50 ms",
        Figures.text(times[times.count / 2]))
      Figures.report(
        "a change is seen by 20 processes with their files in memory, p99", target: "250 ms",
        Figures.text(times[times.count * 99 / 100]))
    }

    @Test("Twenty machines write the same keys")
    func conflicts() async throws {
      let server = try await EtcdServer.start()
      let (machineCount, writeCount) = (20, 500)
      let shared = (0..<4).map { "k\($0)" }
      let own = (0..<machineCount).map { "own\($0)" }
      let machines = try await Self.machines(machineCount, server, shared + own, ["quiet": "yes"])
      let start = ContinuousClock.now
      try await withThrowingTaskGroup(of: Void.self) { group in
        for (number, machine) in machines.enumerated() {
          group.addTask {
            let line = try await machine.answer(
              "storm \(number) k \(shared.count) \(writeCount)", to: "stormed")
            #expect(line != nil)
            // The first round uploads, the second one downloads.
            try await machine.waitForCompletion()
          }
        }
        try await group.waitForAll()
      }
      try await Self.waitForAll(machines)
      let time = ContinuousClock.now - start
      let values = try await machines[0].values("remote")
      for machine in machines { #expect(try await machine.values() == values) }
      // The last write to each key by each machine: every fifth is to its own key.
      for (number, key) in own.enumerated() {
        #expect(values[key] == "\(writeCount - 1) of \(number)")
      }
      for (index, key) in shared.enumerated() {
        let last = (0..<writeCount).last { $0 % 5 != 4 && $0 % shared.count == index }!
        #expect(own.indices.contains { values[key] == "\(last) of \($0)" })
      }
      Figures.report(
        "20 writers, 500 conflicting writes each",
        target: "all identical, none lost",
        "so, after \(Figures.text(time))")
    }

    @Test("Ten thousand changes are uploaded after a time without the cluster")
    func offline() async throws {
      let server = try await EtcdServer.start()
      let proxy = try TestProxy(to: server.clientPort)
      let keys = (0..<10_000).map { "k\($0)" }
      proxy.set(.closed)
      let machine = try MachineProcess([
        "endpoints": proxy.endpoint, "keys": keys.joined(separator: ","), "quiet": "yes",
      ])
      try await blocking { try machine.launch() }
      _ = try await machine.answer("fill offline", to: "filled")
      // One pass transfers them all.
      #expect(
        await eventually {
          guard let data = try? machine.folder.data("state.plist"),
            case .dictionary(let state)? = try? Plist.read(data).value
          else { return false }
          return state.count { $0.value[PlistKeyPath("pending")] == true } == keys.count
        })
      let remote = try Self.store(server)
      let before = try await remote.entries().revision
      proxy.set(.open)
      let start = ContinuousClock.now
      try await machine.waitForCompletion()
      let time = ContinuousClock.now - start
      let snapshot = try await remote.entries()
      #expect(snapshot.entries.count == keys.count)
      let transactions = snapshot.revision - before
      // A hundred in each.
      #expect(transactions <= 100)
      Figures.report(
        "10,000 offline writes after reconnecting", target: "one pass, in transactions",
        "\(transactions) transactions in \(Figures.text(time))")
    }

    @Test("Memory and descriptors stay the same over a hundred thousand changes")
    func endurance() async throws {
      let server = try await EtcdServer.start()
      let keys = (0..<1000).map { "k\($0)" }
      let remote = try Self.store(server)
      let machine = try await Self.machines(1, server, keys, ["quiet": "yes"])[0]
      var usages: [(kilobytes: Int, descriptors: Int)] = []
      for round in 1...100 {
        try await Self.put(keys, "round\(round)", to: remote)
        // After a tenth of the rounds, everything has been used once.
        guard round == 10 || round == 100 else { continue }
        try await machine.waitForCompletion()
        let words = try await machine.answer("usage", to: "usage")?.split(separator: " ") ?? []
        try #require(words.count == 3)
        usages.append((try #require(Int(words[1])), try #require(Int(words[2]))))
      }
      let values = try await machine.values()
      #expect(keys.allSatisfy { values[$0] == "round100 of \($0)" })
      let growth = usages[1].kilobytes - usages[0].kilobytes
      let descriptors = usages[1].descriptors - usages[0].descriptors
      #expect(growth < 16 << 10)
      #expect(descriptors <= 4)
      Figures.report(
        "growth over 100,000 changes", target: "none",
        "\(growth) KiB of \(usages[0].kilobytes), \(descriptors) descriptors of "
          + "\(usages[0].descriptors)")
    }

    @Test("Two hundred machines share a cluster")
    func fleet() async throws {
      let server = try await EtcdServer.start()
      let count = 200
      let keys = (0..<count).map { "k\($0)" }
      let machines = try await Self.machines(count, server, keys, ["quiet": "yes"])
      let start = ContinuousClock.now
      for (number, machine) in machines.enumerated() {
        machine.send("set 0 k\(number) of\(number)")
        machine.send("set 1 \(keys[(number + 1) % count]) of\(number)")
      }
      // The first round uploads, the second one downloads.
      for _ in 0..<2 { try await Self.waitForAll(machines) }
      let time = ContinuousClock.now - start
      let values = try await machines[0].values("remote")
      #expect(values.count == count)
      for machine in machines { #expect(try await machine.values() == values) }
      Figures.report(
        "200 processes on one cluster, 400 changes", target: "all agree",
        "all agree after \(Figures.text(time))")
    }
  }
#endif
