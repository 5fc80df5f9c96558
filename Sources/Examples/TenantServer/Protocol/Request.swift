import PropertyList

/// A request: one line of a client. The answer is one line, or several lines and then a line with a
/// dot. An answer that begins with `error: ` says why nothing was done.
enum Request {
  /// `get TENANT KEY`: the value.
  case get(tenant: String, key: String)
  /// `list TENANT`: all keys and values, as they were at one moment.
  case list(tenant: String)
  /// `set TENANT KEY VALUE`: `ok`. The value is saved soon, at the latest when a signal ends the
  /// server.
  case set(tenant: String, key: String, value: PlistValue)
  /// `remove TENANT KEY`: `ok`, as for `set`.
  case remove(tenant: String, key: String)
  /// `update TENANT KEY=VALUE ...`: `ok` when all of them are on disk. No reader sees only some of them.
  case update(tenant: String, values: [(key: String, value: PlistValue)])
  /// `add TENANT KEY NUMBER`: the sum of the stored number and this one, when it is on disk. If two
  /// processes add at the same time, both numbers are added.
  case add(tenant: String, key: String, number: Int64)
  /// `metrics`: the server's statistics, in the text format of Prometheus.
  case metrics
  /// `reload`: `ok` when all files have been read again. Only file systems that do not report changes
  /// need it.
  case reload
  /// `flush`: `ok` when everything that was set is on disk.
  case flush
  /// `quit`: `bye`, and the connection ends.
  case quit

  /// Parses a line.
  init(_ line: String) throws(Failure) {
    let words = line.split(separator: " ", maxSplits: 3).map(String.init)
    switch (words.first, words.count) {
    case ("get", 3): self = .get(tenant: words[1], key: words[2])
    case ("list", 2): self = .list(tenant: words[1])
    case ("set", 4): self = .set(tenant: words[1], key: words[2], value: Self.value(words[3]))
    case ("remove", 3): self = .remove(tenant: words[1], key: words[2])
    case ("update", 3...):
      let pairs = line.split(separator: " ").dropFirst(2)
      self = .update(tenant: words[1], values: try pairs.map(Self.pair))
    case ("add", 4):
      guard let number = Int64(words[3]) else { throw Failure("\(words[3]) is no integer") }
      self = .add(tenant: words[1], key: words[2], number: number)
    case ("metrics", 1): self = .metrics
    case ("reload", 1): self = .reload
    case ("flush", 1): self = .flush
    case ("quit", 1): self = .quit
    default: throw Failure("this is no request; expected one such as: get TENANT KEY")
    }
  }

  /// The verb, for metrics.
  var verb: String {
    switch self {
    case .get: "get"
    case .list: "list"
    case .set: "set"
    case .remove: "remove"
    case .update: "update"
    case .add: "add"
    case .metrics: "metrics"
    case .reload: "reload"
    case .flush: "flush"
    case .quit: "quit"
    }
  }

  private static func pair(_ word: Substring) throws(Failure) -> (key: String, value: PlistValue) {
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty else { throw Failure("\(word) is not KEY=VALUE") }
    return (String(parts[0]), value(String(parts[1])))
  }

  /// The value that a text represents: an integer, a Boolean, or the text itself.
  private static func value(_ text: String) -> PlistValue {
    switch text {
    case "true": true
    case "false": false
    default: Int64(text).map { .integer($0) } ?? .string(text)
    }
  }
}
