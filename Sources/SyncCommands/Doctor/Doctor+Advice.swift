internal import EtcdStore

/// Advice about errors of the cluster.
extension Doctor {
  static let adviceWhenFull =
    "etcdctl compact, then etcdctl defrag, then etcdctl alarm disarm; raise --quota-backend-bytes if "
    + "it is full again soon"

  static func advice(for error: EtcdError) -> String {
    if let advice = adviceAboutScheme(error) { return advice }
    return switch error.kind {
    case .invalidOptions: "correct the configuration"
    case .file(_, let reason): advice(forFile: reason)
    case .unreachable, .timedOut:
      "check the host and port, that etcd runs there, and that no firewall is in between"
    case .certificate(let reason): advice(forCertificate: reason)
    case .notEtcd:
      "check the host and port; a network may require a login in a browser first, and a proxy must "
        + "not answer for etcd"
    case .truncatedAnswer: "look for a proxy that cuts off answers, and check the log of etcd"
    case .tooLarge: "raise largestAnswer or largestStore in the configuration, or delete entries"
    case .wrongPassword: "correct user or passwordFile, or etcdctl user passwd"
    case .unauthenticated: "set user and passwordFile in the configuration"
    case .namedCertificate:
      "set certificateFile to a certificate without a common name (CN), with -subj /O=fleet for example"
    case .permissionDenied: "etcdctl role grant-permission, for the range of the prefix"
    case .noSpace: adviceWhenFull
    case .unavailable: "wait for an election to end, or start members until a majority is running"
    case .refused: "see the log of this member"
    }
  }

  /// Advice for an endpoint that may need `https` instead of `http`, or the reverse; nil if nothing
  /// suggests it.
  private static func adviceAboutScheme(_ error: EtcdError) -> String? {
    let isEncrypted = error.endpoint?.hasPrefix("https:") == true
    let isMistaken =
      switch error.kind {
      case .notEtcd(status: 0): isEncrypted
      case .notEtcd(status: 400): !isEncrypted
      case .unreachable(let reason): reason.contains(isEncrypted ? "SSL_connect" : "Empty reply")
      default: false
      }
    if !isMistaken { return nil }
    return isEncrypted
      ? "the member may speak http, not https: try http:// in the endpoint; else check host and port"
      : "the member may speak https, not http: try https:// in the endpoint; else check host and port"
  }

  private static func advice(forFile reason: String) -> String {
    if reason.hasPrefix("belongs to") {
      return "change the owner of the file to root or the agent's user with chown"
    }
    return
      "correct the path in the configuration, or make the file readable for the user of the agent, "
      + "and a secret file for no other user"
  }

  private static func advice(forCertificate reason: String) -> String {
    // The certificate of this machine, as the member sees it.
    if reason.contains("alert") {
      return reason.contains("expired")
        ? "renew the certificate of this machine, certificateFile, or set the clock of the member"
        : "the member refused the certificate of this machine: set certificateFile and "
          + "privateKeyFile to ones that its authority has signed, and that have not expired"
    }
    if reason.contains("client certificate") || reason.contains("private key") {
      return
        "set certificateFile and privateKeyFile to a certificate and the key that belongs to it, "
        + "both in PEM form"
    }
    if reason.contains("expired") {
      return "renew the member's certificate, and restart it"
    }
    if reason.contains("not yet valid") { return "set the clock of this machine" }
    if reason.contains("matches target host") || reason.contains("does not match") {
      return "use a host of the certificate in the endpoint, or renew it with this host"
    }
    return
      "set certificateAuthorityFile to the certificates of the authorities that signed the member's "
      + "certificate"
  }
}
