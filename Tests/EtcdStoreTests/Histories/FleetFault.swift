#if Etcd
  import Foundation
  import Glibc
  import TestSupport

  /// A fault of a machine, of a member of the cluster, or of the network between them, which passes.
  enum FleetFault: Sendable, CaseIterable {
    case machineKilled, machinePaused, machineOffline, machineUnheard, clockJump, diskFull
    case memberKilled, memberPaused, memberCutOff, memberUnheard

    static let ofMachines: [FleetFault] = [
      .machineKilled, .machinePaused, .machineOffline, .machineUnheard, .clockJump, .diskFull,
    ]
    static let ofMembers: [FleetFault] = [
      .memberKilled, .memberPaused, .memberCutOff, .memberUnheard,
    ]

    /// Whether it needs separate hosts.
    var needsNetwork: Bool {
      switch self {
      case .machineOffline, .machineUnheard, .memberCutOff, .memberUnheard: true
      default: false
      }
    }

    /// Seconds that a clock may be ahead or, where negative, behind.
    private static let clockOffsets: [Double] = [
      0, 0, 5, -5, 3600, -3600, 86_400, -86_400, 31_536_000, -31_536_000,
    ]

    /// Makes the fault happen to a random machine or member, and ends it after a time.
    func happen(
      to fleet: TestFleet, for duration: Duration, using generator: inout SeededGenerator
    ) async throws {
      let machine = fleet.machines.randomElement(using: &generator)!
      let member = fleet.members.randomElement(using: &generator)!
      let other = fleet.members.filter { $0 !== member }.randomElement(using: &generator) ?? member
      let offset = Self.clockOffsets.randomElement(using: &generator)!
      let wait = { try await Task.sleep(for: duration) }
      switch self {
      case .machineKilled:
        try await machine.kill()
        try await wait()
        try await machine.launch()
      case .machinePaused:
        machine.process.signal(SIGSTOP)
        defer { machine.process.signal(SIGCONT) }
        try await wait()
      case .machineOffline: try await cutOff(machine.process.host, fleet.network, wait)
      case .machineUnheard:
        try await lose(from: machine.process.host, to: member.host, fleet.network, wait)
      case .clockJump: machine.setClock(offset)
      case .diskFull:
        machine.process.send("disk full")
        defer { machine.process.send("disk free") }
        try await wait()
      case .memberKilled:
        try await blocking { member.kill() }
        try await wait()
        try member.launch()
      case .memberPaused:
        member.signal(SIGSTOP)
        defer { member.signal(SIGCONT) }
        try await wait()
      case .memberCutOff: try await cutOff(member.host, fleet.network, wait)
      case .memberUnheard: try await lose(from: member.host, to: other.host, fleet.network, wait)
      }
    }

    private func cutOff(
      _ host: TestNetwork.Host?, _ network: TestNetwork?, _ wait: () async throws -> Void
    ) async throws {
      guard let host, let network else { return }
      try await blocking { try network.setConnected(false, host) }
      try await wait()
      try await blocking { try network.setConnected(true, host) }
    }

    private func lose(
      from source: TestNetwork.Host?, to target: TestNetwork.Host?, _ network: TestNetwork?,
      _ wait: () async throws -> Void
    ) async throws {
      guard let source, let target, let network else { return }
      try await blocking { try network.setLosing(true, from: source, to: target) }
      try await wait()
      try await blocking { try network.setLosing(false, from: source, to: target) }
    }
  }
#endif
