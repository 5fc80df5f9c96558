import Foundation
import Testing

@testable import EtcdStore
@testable import SyncCommands

@Suite("The checks of doctor")
struct DoctorCheckTests {
  /// The findings of checks of a configuration, as lines.
  private func findings(
    _ configuration: Configuration, _ check: (inout Doctor) -> Void
  ) -> [String] {
    var doctor = Doctor(configuration: configuration)
    check(&doctor)
    return doctor.findings.map {
      "\($0.outcome.rawValue) \($0.check): \($0.text)" + ($0.advice.map { " -> \($0)" } ?? "")
    }
  }

  private func configuration(
    _ path: String = "/etc/larder/sync.plist", state: String = "/var/lib/larder-sync"
  ) -> Configuration {
    Configuration(
      path: path, connection: EtcdStore.Options(endpoints: ["http://127.0.0.1:1"]),
      stateFolder: state, managed: .all)
  }

  @Test("warn of what the unit of the machine's agent cannot do")
  func unit() {
    #expect(findings(configuration()) { $0.checkUnit() } == [])
    #expect(findings(configuration(state: "/var/lib/larder-sync/a")) { $0.checkUnit() } == [])
    var other = configuration(state: "/var/lib/larder-syncing")
    other.domains = ["d": ["k"]]
    #expect(
      findings(other) { $0.checkUnit() } == [
        "warning configuration: domains: the agent of the machine, larder-sync.service, sees no home "
          + "folders -> put domains into the configuration of a user, and start that user's agent",
        "warning configuration: stateFolder: larder-sync.service cannot write to "
          + "/var/lib/larder-syncing -> leave stateFolder out, or make the folder and allow it with "
          + "systemctl edit larder-sync: ReadWritePaths=/var/lib/larder-syncing in [Service]",
      ])
    other = configuration()
    other.connection.certificateAuthorityFile = "/etc/larder/ca.pem"
    other.connection.user = .init(name: "u", passwordFile: "/root/password")
    #expect(
      findings(other) { $0.checkUnit() } == [
        "warning configuration: /root/password: larder-sync.service does not see /root -> move the "
          + "file to /etc/larder"
      ])
    // A different configuration is not the one of the unit.
    other.path = "/root/sync.plist"
    #expect(findings(other) { $0.checkUnit() } == [])
  }

  @Test("report what the agent has published")
  func status() {
    var status = AgentStatus(process: 7, configuration: "/etc/larder/sync.plist")
    status.domains = [
      "fine": DomainStatus(keys: 1, isConnected: true, lastError: "has passed"),
      "away": DomainStatus(keys: 1, lastError: "etcd did not answer in time"),
      "new": DomainStatus(keys: 1),
      "stopped": DomainStatus(keys: 2, isConnected: true, stoppedKeys: 1, lastError: "too large"),
    ]
    status.managed = ManagedStatus(
      isConnected: true,
      domains: [
        "a": .init(path: "/m/a.plist", keys: 1),
        "b": .init(path: "/m/b.plist", error: "/m/b.plist: cannot be written"),
      ])
    #expect(
      findings(configuration()) { $0.checkStatus(status) } == [
        "problem agent: away: not connected: etcd did not answer in time -> see the findings about "
          + "endpoints, and the log of the agent",
        "warning agent: new: not connected yet -> look again in a few seconds",
        "problem agent: stopped: errors stop 1 key; the last: too large -> see the log of the agent "
          + "for all of them",
        "problem agent: b: /m/b.plist: cannot be written",
      ])
  }

  static let errors: [(EtcdError.Kind, String, String)] = [
    (
      .certificate(reason: "error:0A000415:SSL routines::sslv3 alert certificate expired, errno 0"),
      "https://e:2379", "renew the certificate of this machine, certificateFile"
    ),
    (
      .certificate(reason: "SSL certificate problem: certificate has expired"), "https://e:2379",
      "renew the member's certificate, and restart it"
    ),
    (.notEtcd(status: 400), "http://e:2379", "the member may speak https, not http"),
    (.notEtcd(status: 400), "https://e:2379", "check the host and port; a network"),
    (.notEtcd(status: 0), "https://e:2379", "the member may speak http, not https"),
    (.notEtcd(status: 0), "http://e:2379", "check the host and port; a network"),
    (
      .file(
        path: "/p", reason: "belongs to another user; expected root or the user of the process"),
      "https://e:2379", "change the owner of the file to root or the agent's user"
    ),
    (
      .file(path: "/p", reason: "is empty"), "https://e:2379",
      "correct the path in the configuration"
    ),
  ]

  @Test("advise what helps against an error of the cluster", arguments: errors)
  func advice(kind: EtcdError.Kind, endpoint: String, advice: String) {
    let error = EtcdError(kind, at: Endpoint(endpoint))
    #expect(Doctor.advice(for: error).hasPrefix(advice), "\(Doctor.advice(for: error))")
  }
}
