internal import FoundationEssentials

// The requests of etcd's JSON gateway, version 3. Data is written in base64.

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
  var oldest: GatewayNumber?
  var latest: GatewayNumber?
  /// `DESCEND` for the greatest first, and `MOD` to compare revisions; nil for the order of the keys.
  var order: String?
  var comparedPart: String?

  enum CodingKeys: String, CodingKey {
    case key, limit, revision
    case rangeEnd = "range_end"
    case keysOnly = "keys_only"
    case oldest = "min_mod_revision"
    case latest = "max_mod_revision"
    case order = "sort_order"
    case comparedPart = "sort_target"
  }
}

/// A request for operations that take place if comparisons hold, and others if they do not.
struct TransactionRequest: Sendable, Encodable {
  var compare: [Comparison]
  var success: [Operation]
  var failure: [Operation]

  /// A comparison of the revision of an entry, which is 0 for none.
  struct Comparison: Sendable, Encodable {
    var key: Data
    var target = "MOD"
    var result = "EQUAL"
    var revision: GatewayNumber

    enum CodingKeys: String, CodingKey {
      case key, target, result
      case revision = "mod_revision"
    }
  }

  /// An operation on one entry.
  enum Operation: Sendable, Encodable {
    case put(key: Data, value: Data)
    case remove(key: Data)
    case range(RangeRequest)

    private enum CodingKeys: String, CodingKey {
      case put = "request_put"
      case remove = "request_delete_range"
      case range = "request_range"
    }

    private struct Entry: Encodable {
      var key: Data
      var value: Data?
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      switch self {
      case .put(let key, let value):
        try container.encode(Entry(key: key, value: value), forKey: .put)
      case .remove(let key): try container.encode(Entry(key: key), forKey: .remove)
      case .range(let request): try container.encode(request, forKey: .range)
      }
    }
  }
}

/// A request for the changes of a range of keys.
struct WatchRequest: Sendable, Encodable {
  var create: Creation

  struct Creation: Sendable, Encodable {
    var key: Data
    var rangeEnd: Data
    var start: GatewayNumber
    /// Whether the revision is told from time to time if nothing changes.
    var reportsProgress = true
    /// Whether answers may be divided.
    var isDivided = true

    enum CodingKeys: String, CodingKey {
      case key
      case rangeEnd = "range_end"
      case start = "start_revision"
      case reportsProgress = "progress_notify"
      case isDivided = "fragment"
    }
  }

  enum CodingKeys: String, CodingKey {
    case create = "create_request"
  }
}

/// A request for a token.
struct AuthenticationRequest: Sendable, Encodable {
  var name: String
  var password: String
}

/// A request for the state of a member.
struct StatusRequest: Sendable, Encodable {}
