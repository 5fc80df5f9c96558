internal import EtcdStore

/// Advice about errors of the cluster.
extension Doctor {
  static let adviceWhenFull =
    "etcdctl compact, then etcdctl defrag, then etcdctl alarm disarm; raise --quota-backend-bytes if "
    + "it is full again soon"

  /// Returns advice about an error.
  static func advice(for error: EtcdError) -> String {
    switch error.kind {
    case .invalidOptions: "correct the configuration"
    case .file: "correct the path in the configuration, or the permissions of the file"
    case .unreachable, .timedOut:
      "check the host and port, that etcd runs there, and that no firewall is in between"
    case .certificate(let reason): advice(forCertificate: reason)
    case .notEtcd:
      "check the host and port; a network may want a log-in in a browser first, and a proxy must not "
        + "answer for etcd"
    case .truncatedAnswer: "look for a proxy in between that ends answers, and at the log of etcd"
    case .tooLarge: "raise largestAnswer or largestStore in the configuration, or delete entries"
    case .wrongPassword: "correct user or passwordFile, or etcdctl user passwd"
    case .unauthenticated: "set user and passwordFile in the configuration"
    case .permissionDenied: "etcdctl role grant-permission, for the range of the prefix"
    case .noSpace: adviceWhenFull
    case .unavailable: "wait for an election to end, or start members until more than half run"
    case .refused: "see the log of this member"
    }
  }

  private static func advice(forCertificate reason: String) -> String {
    if reason.contains("expired") {
      return "renew the certificate of the member, and start it again"
    }
    if reason.contains("not yet valid") { return "set the clock of this machine" }
    if reason.contains("matches target host") || reason.contains("does not match") {
      return "use a host of the certificate in the endpoint, or renew it with this host"
    }
    if reason.contains("alert") {
      return "the member refused the certificate of this machine: set certificateFile and "
        + "privateKeyFile to ones that its authority has signed"
    }
    return "set certificateAuthorityFile to the certificates of those who signed that of the member"
  }
}
