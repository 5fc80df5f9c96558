/// The state of a member of a cluster, as it reports it itself.
package struct MemberStatus: Sendable, Hashable {
  /// The version of etcd.
  package var version: String
  /// The size of the database in bytes.
  package var databaseSize: Int64
  /// The size in bytes beyond which the database takes no changes; nil if the member does not
  /// report it, as before version 3.6.
  package var databaseQuota: Int64?
  /// Whether the member knows a leader.
  package var hasLeader: Bool
  /// The alarms and errors of the member.
  package var errors: [String]
}

extension EtcdStore {
  /// The addresses of the members, as the options have them, without duplicates.
  package var endpoints: [String] { client.endpoints.all.map(\.description) }

  /// Returns the state of one member; nil if it shows it to the role root alone, as some versions do.
  ///
  /// - Throws: ``EtcdError``, `CancellationError`.
  package func status(ofMember endpoint: String) async throws -> MemberStatus? {
    guard let member = client.endpoints.all.first(where: { $0.description == endpoint }) else {
      throw EtcdError(.invalidOptions(reason: "\(endpoint) is not an endpoint of the store"))
    }
    let answer: StatusAnswer
    do {
      answer = try await client.call(
        .status, try GatewayCoding.data(of: [String: String]()), at: member)
    } catch {
      if (error as? GatewayError)?.code == 7 { return nil }
      throw EtcdError.known(error, at: member)
    }
    guard let version = answer.version else { throw EtcdError(.notEtcd(status: 200), at: member) }
    return MemberStatus(
      version: PrintableText.make(version), databaseSize: answer.dbSize?.value ?? 0,
      databaseQuota: answer.dbSizeQuota?.value, hasLeader: answer.leader != nil,
      errors: (answer.errors ?? []).map(PrintableText.make))
  }
}
