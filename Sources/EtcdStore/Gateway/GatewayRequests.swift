internal import FoundationEssentials

// The requests of etcd's JSON gateway, version 3, whose names have underscores there. Data is written in
// base64.

/// A request for the entries of a range of keys.
struct RangeRequest: Sendable, Encodable {
  var key: Data
  /// The first key after the range; nil for one key.
  var rangeEnd: Data?
  var limit: GatewayNumber?
  /// The moment of the entries; nil for the present.
  var revision: GatewayNumber?
  var keysOnly: Bool?
  /// The revisions between which entries were put; nil for any.
  var minModRevision: GatewayNumber?
  var maxModRevision: GatewayNumber?
  /// `DESCEND` for the greatest first, and `MOD` to compare revisions; nil for the order of the keys.
  var sortOrder: String?
  var sortTarget: String?
  /// Whether the member may answer without a majority behind it.
  var serializable: Bool?
}

/// A request for operations that take place if comparisons hold, and others if they do not.
struct TransactionRequest: Sendable, Encodable {
  var compare: [Comparison] = []
  var success: [Operation]
  var failure: [Operation] = []

  /// A comparison of the revision of an entry, which is 0 for none.
  struct Comparison: Sendable, Encodable {
    var key: Data
    var target = "MOD"
    var result = "EQUAL"
    var modRevision: GatewayNumber
  }

  /// An operation on one entry.
  enum Operation: Sendable, Encodable {
    case put(key: Data, value: Data)
    case remove(key: Data)
    case range(RangeRequest)

    private enum CodingKeys: String, CodingKey {
      case requestPut, requestDeleteRange, requestRange
    }

    private struct Entry: Encodable {
      var key: Data
      var value: Data?
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      switch self {
      case .put(let key, let value):
        try container.encode(Entry(key: key, value: value), forKey: .requestPut)
      case .remove(let key): try container.encode(Entry(key: key), forKey: .requestDeleteRange)
      case .range(let request): try container.encode(request, forKey: .requestRange)
      }
    }
  }
}

/// A request for the changes of a range of keys, which is the value of `create_request`.
struct WatchRequest: Sendable, Encodable {
  var key: Data
  var rangeEnd: Data
  var startRevision: GatewayNumber
  /// Whether the revision is reported from time to time if nothing changes.
  var progressNotify = true
  /// Whether answers may be divided.
  var fragment = true
}

/// A request for a token.
struct AuthenticationRequest: Sendable, Encodable {
  var name: String
  var password: String
}
