internal import FoundationEssentials
internal import PreferencesSync

// The answers of etcd's JSON gateway. It leaves out what is zero, false or empty.

/// The part with which all answers begin.
struct AnswerHeader: Sendable, Decodable {
  var revision: GatewayNumber?
}

/// An entry as etcd has it.
struct KeyValue: Sendable, Decodable {
  var key: Data?
  var value: Data?
  var revision: GatewayNumber?

  enum CodingKeys: String, CodingKey {
    case key, value
    case revision = "mod_revision"
  }
}

/// The entries of a range.
struct RangeAnswer: Sendable, Decodable {
  var header: AnswerHeader?
  var entries: [KeyValue]?
  /// Whether there are more entries than the limit of the request.
  var more: Bool?

  enum CodingKeys: String, CodingKey {
    case header, more
    case entries = "kvs"
  }
}

/// The answer to a transaction.
struct TransactionAnswer: Sendable, Decodable {
  var header: AnswerHeader?
  var succeeded: Bool?
  var responses: [Response]?

  /// The answer to an operation.
  struct Response: Sendable, Decodable {
    var range: RangeAnswer?

    enum CodingKeys: String, CodingKey {
      case range = "response_range"
    }
  }
}

/// A line of a stream of changes.
struct WatchAnswer: Sendable, Decodable {
  var result: Body?
  var error: Failure?

  struct Body: Sendable, Decodable {
    var header: AnswerHeader?
    var created: Bool?
    var canceled: Bool?
    var compactRevision: GatewayNumber?
    var cancelReason: String?
    /// Whether the next answer goes on with the same changes.
    var fragment: Bool?
    var events: [Event]?

    enum CodingKeys: String, CodingKey {
      case header, created, canceled, fragment, events
      case compactRevision = "compact_revision"
      case cancelReason = "cancel_reason"
    }
  }

  struct Event: Sendable, Decodable {
    /// `DELETE` for a removal, otherwise a put.
    var type: String?
    var entry: KeyValue?

    enum CodingKeys: String, CodingKey {
      case type
      case entry = "kv"
    }
  }

  struct Failure: Sendable, Decodable {
    var code: Int?
    var message: String?

    enum CodingKeys: String, CodingKey {
      case code = "grpc_code"
      case message
    }
  }
}

extension WatchAnswer {
  /// Throws the failure that the answer reports.
  func check(at endpoint: Endpoint) throws {
    if let error { throw GatewayError(code: error.code ?? 2, message: error.message ?? "") }
    guard let result else { throw EtcdError(.notEtcd(status: 200), at: endpoint) }
    guard result.canceled == true else { return }
    if result.compactRevision?.value ?? 0 > 0 { throw RemoteStoreError.revisionCompacted }
    let reason = result.cancelReason ?? "the stream of changes was canceled"
    throw GatewayError(code: reason.contains("permission denied") ? 7 : 14, message: reason)
  }
}

/// The answer to a log-in.
struct AuthenticationAnswer: Sendable, Decodable {
  var token: String?
}

/// The answer to a request that failed.
struct ErrorAnswer: Sendable, Decodable {
  var error: String
  var code: Int
}

/// The state of a member.
struct StatusAnswer: Sendable, Decodable {
  var version: String?
  var databaseSize: GatewayNumber?
  var databaseQuota: GatewayNumber?
  /// The identifier of the leader; nil if the member knows none.
  var leader: String?
  var errors: [String]?

  enum CodingKeys: String, CodingKey {
    case version, leader, errors
    case databaseSize = "dbSize"
    case databaseQuota = "dbSizeQuota"
  }
}
