#if Etcd
  import Foundation

  /// What machines cost a cluster: what was measured, in bytes and seconds, and what is computed from it.
  struct FleetCosts {
    // MARK: Measured

    /// The size of a record, and of its name.
    var record = 0.0, name = 0.0
    /// The size of a key in the database, and of a change in its history.
    var key = 0.0, changeInHistory = 0.0
    /// The size of the file of 20,000 keys of two versions each after compaction, and after
    /// defragmentation.
    var compactedFile = 0.0, defragmentedFile = 0.0
    /// The bytes of a change on a connection that watches, of a check that the member is alive, and
    /// of a report of progress.
    var change = 0.0, look = 0.0, progress = 0.0
    /// The memory of a machine with one stream, and the processor time of a check.
    var memory = 0.0, lookTime = 0.0
    /// The memory and the connections of an agent with twenty domains, and the processor time of its
    /// check.
    var agentMemory = 0.0, agentConnections = 0.0, agentLookTime = 0.0

    /// Whether everything was measured.
    var isMeasured: Bool {
      [
        record, name, key, changeInHistory, compactedFile, defragmentedFile, change, look, progress,
        memory, lookTime, agentMemory, agentConnections, agentLookTime,
      ].allSatisfy { $0 > 0 }
    }

    // MARK: Assumed

    /// The streams of a machine: of one domain, and of managed preferences.
    private let streams = 2.0
    /// The keys of a user, and the changes of a machine in a day.
    private let keys = 200.0, changes = 100.0
    /// The keys of a policy.
    private let managedKeys = 100.0
    /// The seconds between checks, and between reports of progress.
    private let lookInterval = 10.0, progressInterval = 600.0
    private let day = 86_400.0

    /// The lines to print: what was measured, and a table of what is computed.
    var lines: [String] { measured + [""] + table }

    private var measured: [String] {
      [
        "Measured: a record of a string of 20 characters: \(Self.size(record)), its name: \(Self.size(name))",
        "Measured: a key in the database: \(Self.size(key))",
        "Measured: a change in the history, until it is compacted: \(Self.size(changeInHistory))",
        "Measured: the file of 20,000 keys after compaction: \(Self.size(compactedFile)), after "
          + "defragmentation: \(Self.size(defragmentedFile))",
        "Measured: a change on each connection that watches: \(Self.size(change))",
        "Measured: a look whether a member is alive: \(Self.size(look)) and "
          + "\(Self.number(lookTime * 1000)) ms of a processor",
        "Measured: a report of progress: \(Self.size(progress))",
        "Measured: a machine with one stream and TLS: \(Self.size(memory)) of etcd's memory",
        "Measured: an agent of 20 domains, with TLS: \(Self.size(agentMemory)) of etcd's memory, "
          + "\(Self.number(agentConnections)) connections, "
          + "\(Self.number(agentLookTime * 1000)) ms of a processor for a look",
      ]
    }

    private var table: [String] {
      func row(_ title: String, _ value: (_ machines: Double) -> String) -> String {
        "| \(title) | \(value(100)) | \(value(10_000)) | \(value(100_000)) |"
      }
      return [
        "| computed | 100 machines | 10,000 machines | 100,000 machines |", "|---|---|---|---|",
        row("streams of changes") { Self.number($0 * streams) },
        row("etcd's memory") { Self.size($0 * streams * memory) },
        row("etcd's memory, with agents of 20 domains") { Self.size($0 * agentMemory) },
        row("their connections") { Self.number($0 * agentConnections) },
        row("their looks: processors") { Self.number($0 / lookInterval * agentLookTime) },
        row("looks a second") { Self.number($0 * streams / lookInterval) },
        row("looks: processors, and traffic a second") {
          "\(Self.number($0 * streams / lookInterval * lookTime)), "
            + Self.size($0 * streams / lookInterval * look)
        },
        row("reports of progress: traffic a second") {
          Self.size($0 * streams / progressInterval * progress)
        },
        row("database, \(Int(keys)) keys for each machine's user") { Self.size($0 * keys * key) },
        row("history of a day, \(Int(changes)) changes on each machine") {
          Self.size($0 * changes * changeInHistory)
        },
        row("those changes, each seen by one other machine: traffic a second") {
          Self.size($0 * changes * change / day)
        },
        row("a policy of \(Int(managedKeys)) new keys, seen by all: traffic") {
          Self.size($0 * managedKeys * change)
        },
      ]
    }

    // MARK: Texts

    /// A number with two digits after the point if it is small.
    private static func number(_ number: Double) -> String {
      let isSmall = number < 10 && number.rounded() != number
      return isSmall ? String(format: "%.2f", number) : grouped(Int(number.rounded()))
    }

    private static func grouped(_ number: Int) -> String {
      let digits = String(number)
      let first = digits.count % 3
      var groups = first > 0 ? [String(digits.prefix(first))] : []
      var rest = digits.dropFirst(first)
      while !rest.isEmpty {
        groups.append(String(rest.prefix(3)))
        rest = rest.dropFirst(3)
      }
      return groups.joined(separator: ",")
    }

    /// A number of bytes, in decimal units.
    private static func size(_ bytes: Double) -> String {
      switch bytes {
      case 1e9...: "\(number(bytes / 1e9)) GB"
      case 1e6...: "\(number(bytes / 1e6)) MB"
      case 10_000...: "\(number(bytes / 1e3)) kB"
      default: "\(number(bytes.rounded())) bytes"
      }
    }
  }
#endif
