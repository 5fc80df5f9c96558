#if Etcd
  import Foundation
  import SyncHistories
  import TestSupport
  import Testing

  @Suite("A cluster whose leader goes away", .timeLimit(.minutes(10)), .serialized)
  struct LeaderTests {
    /// How a leader goes away.
    enum Fault: String, CaseIterable, CustomTestStringConvertible {
      case killed, stopped
      case cutOff = "cut off"
      case unheard

      var testDescription: String { rawValue }
    }

    @Test(
      "No acknowledged write is lost when it is killed or stopped",
      arguments: [Fault.killed, .stopped])
    func process(fault: Fault) async throws {
      try await check(fault, isolated: false)
    }

    @Test(
      "No acknowledged write is lost when the network fails it",
      .enabled(
        if: TestNetwork.obstacle == nil, "This needs network namespaces, which root may make."),
      arguments: [Fault.cutOff, .unheard])
    func network(fault: Fault) async throws {
      try await check(fault, isolated: true)
    }

    private func check(_ fault: Fault, isolated: Bool) async throws {
      let fleet = try await TestFleet(
        machineCount: 3, keys: ["shared", "k0", "k1", "k2"], isolated: isolated)
      let leader = try await fleet.leader()
      // Before the fault, during it, and after it.
      try await writeAndUpload(fleet, count: 10)
      try await begin(fault, of: leader, in: fleet)
      let start = ContinuousClock.now
      try await writeAndUpload(fleet, count: 1)
      let time = ContinuousClock.now - start
      try await writeAndUpload(fleet, count: 10)
      try await end(fault, of: leader, in: fleet)
      try await writeAndUpload(fleet, count: 10)
      try await fleet.recordEnd()
      for violation in fleet.log.report() { Issue.record("\(violation)") }
      Figures.report(
        "leader \(fault.rawValue): the next write of every machine is uploaded", target: "3 s",
        "\(Figures.text(time))")
    }

    private func begin(_ fault: Fault, of leader: EtcdServer, in fleet: TestFleet) async throws {
      switch fault {
      case .killed: try await blocking { leader.kill() }
      case .stopped: leader.signal(SIGSTOP)
      case .cutOff, .unheard:
        let (network, host) = (try #require(fleet.network), try #require(leader.host))
        try await blocking {
          if fault == .cutOff { return try network.setConnected(false, host) }
          for other in network.hosts where other != host {
            try network.setLosing(true, from: host, to: other)
          }
        }
      }
    }

    private func end(_ fault: Fault, of leader: EtcdServer, in fleet: TestFleet) async throws {
      switch fault {
      case .killed: try leader.launch()
      case .stopped: leader.signal(SIGCONT)
      case .cutOff, .unheard:
        let (network, host) = (try #require(fleet.network), try #require(leader.host))
        try await blocking {
          try network.setConnected(true, host)
          for other in network.hosts where other != host {
            try network.setLosing(false, from: host, to: other)
          }
        }
      }
    }

    /// Sets keys on all machines at once, and waits until all are uploaded.
    private func writeAndUpload(_ fleet: TestFleet, count: Int) async throws {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for machine in fleet.machines {
          group.addTask {
            for _ in 0..<count {
              #expect(try await machine.write("k\(machine.number)"))
              #expect(try await machine.write("shared"))
            }
            try await machine.upload()
          }
        }
        try await group.waitForAll()
      }
    }
  }
#endif
