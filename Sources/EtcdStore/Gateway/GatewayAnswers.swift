internal import FoundationEssentials
internal import PreferencesSync

// The answers of etcd's JSON gateway. It leaves out what is zero, false or empty.

/// The part that begins all answers.
struct AnswerHeader: Sendable, Decodable {
  var revision: GatewayRevision?
}

/// An entry as etcd has it.
struct KeyValue: Sendable, Equatable, Decodable {
  var key: Data?
  var value: Data?
  var revision: GatewayRevision?
  /// The number of puts since the entry was created.
  var version: GatewayNumber?

  enum CodingKeys: String, CodingKey {
    case key, value, version
    case revision = "mod_revision"
  }
}

/// The entries of a range.
struct RangeAnswer: Sendable, Decodable {
  var header: AnswerHeader?
  var entries: [KeyValue]?
  /// Whether there are more entries than the limit of the request.
  var more: Bool?
  /// The number of entries, regardless of the limit.
  var count: GatewayNumber?

  enum CodingKeys: String, CodingKey {
    case header, more, count
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
  var error: FailureAnswer?

  struct Body: Sendable, Decodable {
    var header: AnswerHeader?
    var created: Bool?
    var canceled: Bool?
    var compactRevision: GatewayRevision?
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

    var isRemoval: Bool { type == "DELETE" }

    enum CodingKeys: String, CodingKey {
      case type
      case entry = "kv"
    }
  }
}

extension WatchAnswer {
  /// Throws the failure that the answer reports.
  func check(at endpoint: Endpoint) throws {
    if let error { throw error.reported }
    guard let result else { throw EtcdError(.notEtcd(status: 200), at: endpoint) }
    guard result.canceled == true else { return }
    if result.compactRevision?.value ?? 0 > 0 { throw RemoteStoreError.revisionCompacted }
    throw GatewayError(cancelReason: result.cancelReason ?? "the stream of changes was canceled")
  }
}

/// The answer to a log-in.
struct AuthenticationAnswer: Sendable, Decodable {
  var token: String?
}

/// The answer to a request that failed.
///
/// A stream that fails before its first line answers with a line of its failure.
struct ErrorAnswer: Sendable, Decodable {
  let reported: GatewayError

  private enum CodingKeys: String, CodingKey {
    case error
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let line = try? container.decode(FailureAnswer.self, forKey: .error)
    reported = try (line ?? FailureAnswer(from: decoder)).reported
  }
}

/// A failure in an answer.
///
/// Through version 3.5 the text of a call's is in `error`, later also in `message`, and the code
/// of a stream's is in `grpc_code`. From version 3.6 on both have `code` and `message`.
struct FailureAnswer: Sendable, Decodable {
  let reported: GatewayError

  private enum CodingKeys: String, CodingKey {
    case code, message, error
    case streamCode = "grpc_code"
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let code =
      try container.decodeIfPresent(Int.self, forKey: .streamCode)
      ?? container.decode(Int.self, forKey: .code)
    guard 1...16 ~= code else {
      throw DecodingError.dataCorruptedError(
        forKey: .code, in: container, debugDescription: "no code of gRPC")
    }
    let message =
      try container.decodeIfPresent(String.self, forKey: .message)
      ?? container.decode(String.self, forKey: .error)
    reported = GatewayError(code: code, message: message)
  }
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
