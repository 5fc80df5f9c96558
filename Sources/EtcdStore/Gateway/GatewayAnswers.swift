internal import FoundationEssentials
internal import PreferencesSync

// The responses of etcd's JSON gateway, whose names have underscores there. It omits values that are
// zero, false or empty.

/// The part that begins all answers.
struct AnswerHeader: Sendable, Decodable {
  var revision: GatewayRevision?
  var memberId: String?
}

/// An entry as etcd has it.
struct KeyValue: Sendable, Equatable, Decodable {
  var key: Data?
  var value: Data?
  var modRevision: GatewayRevision?
  /// The number of puts since the entry was created.
  var version: GatewayNumber?
}

/// The entries of a range.
struct RangeAnswer: Sendable, Decodable {
  var header: AnswerHeader?
  var kvs: [KeyValue]?
  /// Whether there are more entries than the limit of the request.
  var more: Bool?
  /// The number of entries, regardless of the limit.
  var count: GatewayNumber?
}

struct TransactionAnswer: Sendable, Decodable {
  var header: AnswerHeader?
  var succeeded: Bool?
  var responses: [Response]?

  /// The answer to an operation.
  struct Response: Sendable, Decodable {
    var responseRange: RangeAnswer?
  }
}

/// A line of a stream of changes.
struct WatchAnswer: Sendable, Decodable {
  var result: Body?
  var error: FailureAnswer?

  struct Body: Sendable, Decodable {
    var header: AnswerHeader?
    var watchId: GatewayNumber?
    var created: Bool?
    var canceled: Bool?
    var compactRevision: GatewayRevision?
    var cancelReason: String?
    /// Whether the next response continues the same changes.
    var fragment: Bool?
    var events: [Event]?

    /// The number of the watch.
    var number: Int64 { watchId?.value ?? 0 }
  }

  struct Event: Sendable, Decodable {
    /// `DELETE` for a removal, otherwise a put.
    var type: String?
    var kv: KeyValue?

    var isRemoval: Bool { type == "DELETE" }
  }
}

extension WatchAnswer {
  /// Returns the result.
  ///
  /// - Parameter part: The index of the part that a refusal is about.
  /// - Throws: The failure that the answer reports.
  func checked(at endpoint: Endpoint, part: Int? = nil) throws -> Body {
    if let error { throw error.reported }
    guard let result else { throw EtcdError(.notEtcd(status: 200), at: endpoint) }
    guard result.canceled == true else { return result }
    if result.compactRevision?.value ?? 0 > 0 { throw RemoteStoreError.revisionCompacted }
    throw GatewayError(
      cancelReason: result.cancelReason ?? "the stream of changes was canceled", part: part)
  }
}

/// The response to a login.
struct AuthenticationAnswer: Sendable, Decodable {
  var token: String?
}

/// A failure in an answer.
///
/// Up to version 3.5, the text of a call's failure is in `error` and later also in `message`, and
/// the code of a stream's failure is in `grpc_code`. From version 3.6 on, both failures have `code`
/// and `message`.
struct FailureAnswer: Sendable, Decodable {
  let reported: GatewayError

  private enum CodingKeys: String, CodingKey {
    case code, message, error
    case streamCode = "grpcCode"
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
  var dbSize: GatewayNumber?
  var dbSizeQuota: GatewayNumber?
  /// The identifier of the leader; nil if the member knows none.
  var leader: String?
  var errors: [String]?
}
