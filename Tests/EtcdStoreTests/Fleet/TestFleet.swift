#if Etcd
  import Foundation
  import SyncHistories
  import TestSupport
  import Testing

  /// Machines and the members of a cluster with mutual TLS, each in a separate network namespace
  /// where that is permitted, and otherwise all on loopback.
  final class TestFleet: Sendable {
    let network: TestNetwork?
    let members: [EtcdServer]
    let machines: [FleetMachine]
    let log = HistoryLog()
    let keys: [String]

    /// Starts the members and the machines.
    ///
    /// - Parameters:
    ///   - patientCount: How many machines have the usual delays and timeouts; the others have short ones.
    ///   - isolated: Whether each has a namespace, for faults of the network.
    init(
      memberCount: Int = 3, machineCount: Int, patientCount: Int = 0, keys: [String],
      isolated: Bool
    ) async throws {
      let network = try await blocking {
        isolated ? try TestNetwork(hostCount: memberCount + machineCount) : nil
      }
      self.network = network
      self.keys = keys
      let hosts = network?.hosts ?? []
      let certificates = try await blocking {
        try TestCertificates(addresses: hosts.prefix(memberCount).map(\.address))
      }
      let members = try await EtcdServer.startCluster(
        memberCount, certificates: certificates, on: Array(hosts.prefix(memberCount)))
      self.members = members
      machines = try (0..<machineCount).map { [log] number in
        // Each begins with a different member.
        let first = number % memberCount
        let endpoints = (members[first...] + members[..<first]).map(\.endpoint)
        let settings = [
          "keys": keys.joined(separator: ","), "endpoints": endpoints.joined(separator: ","),
          "authority": certificates.path("ca.pem"), "certificate": certificates.path("client.pem"),
          "key": certificates.path("client.key"), "collects": "yes",
        ].merging(number < patientCount ? [:] : ["interval": "20", "impatient": "yes"]) { $1 }
        return try FleetMachine(
          number, settings, on: hosts.isEmpty ? nil : hosts[memberCount + number], log)
      }
      for machine in machines { try await machine.launch() }
      for machine in machines { try await machine.process.waitForCompletion() }
    }

    /// The member that leads the cluster.
    func leader() async throws -> EtcdServer {
      try await repeated {
        for member in members where (try? await member.isLeader()) == true { return member }
        throw CocoaError(.featureUnsupported)
      }
    }

    /// Records what all machines and the cluster have in the end, after they have met.
    func recordEnd() async throws {
      // The first round uploads, the second one downloads.
      for _ in 0..<2 {
        try await withThrowingTaskGroup(of: Void.self) { group in
          for machine in machines {
            group.addTask { try await machine.process.waitForCompletion() }
          }
          try await group.waitForAll()
        }
      }
      for machine in machines {
        let values = try await machine.process.values()
        for key in keys {
          log.record(.final(.machine(machine.number), key: key, value: values[key]))
        }
      }
      let values = try await machines[0].process.values("remote")
      for key in keys { log.record(.final(.remote, key: key, value: values[key])) }
    }
  }
#endif
