/// An error of a store on an etcd cluster.
///
/// Its text never contains a password, a token, a key or a value.
public struct EtcdError: Error, Sendable, Hashable {
  /// The kind of failure.
  public enum Kind: Sendable, Hashable {
    /// The options do not describe a cluster.
    case invalidOptions(reason: String)
    /// A file with a certificate, a key or a password cannot be used.
    case file(path: String, reason: String)
    /// There is no connection, or it was lost.
    case unreachable(reason: String)
    /// There was no answer in time.
    case timedOut
    /// This client refused the member's certificate, or the member refused the client's.
    case certificate(reason: String)
    /// The response is not from etcd but, for example, the login page of a network.
    case notEtcd(status: Int)
    /// The answer is incomplete.
    case truncatedAnswer
    /// The answer is larger than ``EtcdStore/Options/largestAnswer``, or all entries are larger than
    /// ``EtcdStore/Options/largestStore``.
    case tooLarge(limit: Int)
    /// The name or the password of the user is wrong.
    case wrongPassword(user: String)
    /// The cluster requires a user and none was given, or does not accept the user's token.
    case unauthenticated
    /// The cluster has users, and the certificate of this client has a common name, which the gateway of
    /// etcd then refuses.
    case namedCertificate
    /// The user may not read or change the entries.
    case permissionDenied
    /// The database of the cluster is full (the alarm NOSPACE). Nothing is stored until an operator
    /// has compacted and defragmented it, and has disarmed the alarm.
    case noSpace
    /// The cluster cannot answer at present, for example because it has no leader.
    case unavailable(reason: String)
    /// The cluster refused the request for another reason.
    case refused(reason: String)
  }

  /// The kind of failure.
  public let kind: Kind
  /// The address of the member; nil if no member was asked.
  public let endpoint: String?

  init(_ kind: Kind, at endpoint: Endpoint? = nil) {
    self.kind = kind
    self.endpoint = endpoint?.description
  }

  init(_ failure: HTTPFailure, at endpoint: Endpoint) {
    let kind: Kind =
      switch failure {
      case .noConnection(let reason), .connectionLost(let reason): .unreachable(reason: reason)
      case .certificate(let reason): .certificate(reason: reason)
      case .truncated: .truncatedAnswer
      case .timedOut: .timedOut
      case .notHTTP: .notEtcd(status: 0)
      case .cancelled: .unreachable(reason: "the request was canceled")
      }
    self.init(kind, at: endpoint)
  }

  /// The error for callers; the same error if it is not one of a member.
  static func known(_ error: any Error, at endpoint: Endpoint) -> any Error {
    switch error {
    case let error as HTTPFailure: EtcdError(error, at: endpoint)
    case let error as GatewayError: error.error(at: endpoint)
    default: error
    }
  }

  /// The error of a program that was built without the trait `Etcd`.
  package static var withoutTrait: EtcdError {
    EtcdError(.invalidOptions(reason: "this program was built without the trait Etcd"))
  }
}

extension Error {
  /// Whether another member may answer.
  var isOfMember: Bool {
    switch (self as? EtcdError)?.kind {
    case .unreachable, .timedOut, .certificate, .notEtcd, .truncatedAnswer, .unavailable: true
    default: false
    }
  }
}

extension EtcdError: CustomStringConvertible {
  /// One line of text.
  public var description: String {
    endpoint.map { "\($0): \(text)" } ?? text
  }

  private var text: String {
    switch kind {
    case .invalidOptions(let reason): reason
    case .file(let path, let reason): "\(path) \(reason)"
    case .unreachable(let reason): "etcd cannot be reached: \(reason)"
    case .timedOut: "etcd did not answer in time"
    case .certificate(let reason): "the certificate was refused: \(reason)"
    case .notEtcd(let status):
      status == 0
        ? "what answers is not etcd" : "what answers is not etcd; it answered with status \(status)"
    case .truncatedAnswer: "the answer of etcd is incomplete"
    case .tooLarge(let limit): "etcd has more than the \(limit) bytes that are read at most"
    case .wrongPassword(let user): "the name or the password of the user \(user) is wrong"
    case .unauthenticated: "etcd wants a user that it knows"
    case .namedCertificate:
      "etcd refuses certificates with a common name (CN) where users log in with passwords"
    case .permissionDenied: "the user may not do this to the entries with the store's prefix"
    case .noSpace:
      "the database of etcd is full; compact and defragment it, then disarm the alarm NOSPACE"
    case .unavailable(let reason): "etcd cannot answer at present: \(reason)"
    case .refused(let reason): "etcd refused the request: \(reason)"
    }
  }
}
