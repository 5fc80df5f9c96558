internal import FoundationEssentials
internal import PropertyList

/// When the synchronized keys of a domain got their values, kept in the domain's file beside the values.
///
/// A commit stamps the keys that it changes, so the file itself says which of its values are new. A
/// program that does not know about stamps leaves them in place; if it changes a value, the stamp's
/// hash no longer matches. A copied file carries the stamps it had when it was copied.
///
/// The text form is the value of a reserved key. It has one line for each machine and each key, so that
/// version control shows small differences.
package struct Stamps: Sendable, Hashable {
  /// A value's time and hash.
  package struct Stamp: Sendable, Hashable {
    /// When the key got the value, or when it was removed.
    package var time: HybridTime
    /// The ``ValueHash`` of the value as the file stores it; 0 for a removal.
    package var hash: UInt64

    package init(time: HybridTime, hash: UInt64) { (self.time, self.hash) = (time, hash) }
  }

  /// A key whose changes are stamped.
  struct Tracked: Sendable, Hashable {
    /// Nil if it is not known when the key got its value.
    var stamp: Stamp?
    /// The synchronizers that track the key, sorted.
    var trackers: [String]
  }

  /// A name for one machine's changes. A copy of the file on another machine or at another path
  /// gets a new name.
  struct Origin: Sendable, Hashable {
    var machine: String
    var name: String
  }

  /// The reserved key.
  package static let key = "LarderStamps"
  /// No keys are added beyond this number.
  static let largestCount = 10_000
  /// No keys are added beyond this size of the text; and the size that a key takes in addition to
  /// its name.
  private static let (largestSize, entrySize) = (1 << 20, 80)
  /// The number of machines that have a name; the oldest name is dropped.
  static let originCount = 8

  /// From the oldest to the newest.
  private(set) var origins: [Origin] = []
  private(set) var tracked: [ByteKey: Tracked] = [:]

  package init() {}

  var isEmpty: Bool { tracked.isEmpty }

  /// The tracked keys without their stamps, for a file that another program has replaced.
  var untimed: Stamps {
    var new = Stamps()
    new.tracked = tracked.mapValues { Tracked(trackers: $0.trackers) }
    return new
  }

  // MARK: Keys

  package func stamp(forKey key: String) -> Stamp? { tracked[ByteKey(key)]?.stamp }

  package func isTracked(_ key: String, by tracker: String) -> Bool {
    tracked[ByteKey(key)]?.trackers.contains(tracker) == true
  }

  /// Starts to stamp the changes of keys, as long as there is room.
  mutating func track(_ keys: [String], by tracker: String) {
    if keys.isEmpty { return }
    var size = tracked.keys.reduce(0) { $0 + Self.size(of: $1) }
    for key in keys.map({ ByteKey($0) }) {
      var entry = tracked[key] ?? Tracked(trackers: [])
      if entry.trackers.isEmpty {
        let new = size + Self.size(of: key)
        if tracked.count >= Self.largestCount || new > Self.largestSize { continue }
        size = new
      }
      if entry.trackers.contains(tracker) { continue }
      entry.trackers = (entry.trackers + [tracker]).sorted()
      tracked[key] = entry
    }
  }

  private static func size(of key: ByteKey) -> Int {
    key.text.percentEncoded.utf8.count + entrySize
  }

  /// Ends tracking by a tracker. When no tracker is left, the key's stamp is removed.
  mutating func untrack(_ key: String, by tracker: String) {
    let key = ByteKey(key)
    tracked[key]?.trackers.removeAll { $0 == tracker }
    if tracked[key]?.trackers.isEmpty == true { tracked[key] = nil }
  }

  /// Changes the stamp of a tracked key.
  mutating func set(_ stamp: Stamp?, forKey key: String) { tracked[ByteKey(key)]?.stamp = stamp }

  /// The name for a machine's changes. It is created if there is none.
  mutating func origin(of machine: String) -> String {
    if let known = origins.first(where: { $0.machine == machine }) { return known.name }
    let name = UInt64.random(in: .min ... .max).hexadecimal
    origins = (origins + [Origin(machine: machine, name: name)]).suffix(Self.originCount)
    return name
  }
}

// MARK: - Text

extension Stamps {
  private static let firstLine = "version 1"

  /// Decodes the text; nil if it is invalid or of a later version.
  package init?(_ text: String) {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false)[...]
    guard lines.popFirst() == Substring(Self.firstLine), lines.popLast() == "" else { return nil }
    for line in lines {
      let fields = line.split(separator: " ", omittingEmptySubsequences: false)
      if fields.count == 3, fields[0] == "origin" {
        origins.append(Origin(machine: String(fields[1]), name: String(fields[2])))
      } else {
        guard let (key, entry) = Self.entry(fields) else { return nil }
        tracked[key] = entry
      }
    }
  }

  private static func entry(_ fields: [Substring]) -> (ByteKey, Tracked)? {
    guard fields.count == 3 || fields.count == 7, fields[0] == "key",
      let key = String(percentEncoded: fields[1])
    else { return nil }
    var entry = Tracked(trackers: fields[2].split(separator: ",").map(String.init))
    if fields.count == 7 {
      guard let seconds = Double(fields[3]), let counter = UInt32(fields[4]),
        let hash = UInt64(fields[5], radix: 16)
      else { return nil }
      let time = HybridTime(seconds: seconds, counter: counter, origin: String(fields[6]))
      guard time.hasValidOrigin else { return nil }
      // The clock of the machine was wrong.
      entry.stamp = time.isInRange ? Stamp(time: time, hash: hash) : nil
    }
    return entry.trackers.isEmpty ? nil : (ByteKey(key), entry)
  }

  /// The text, with the keys in a fixed order.
  package var text: String {
    var lines = [Self.firstLine]
    lines += origins.map { "origin \($0.machine) \($0.name)" }
    lines += tracked.map { key, entry in
      var line = "key \(key.text.percentEncoded) \(entry.trackers.joined(separator: ","))"
      if let stamp = entry.stamp {
        let time = stamp.time
        line += " \(time.seconds) \(time.counter) \(stamp.hash.hexadecimal) \(time.origin)"
      }
      return line
    }.sorted()
    return lines.joined(separator: "\n") + "\n"
  }
}

extension HybridTime {
  fileprivate var seconds: Double { date.timeIntervalSinceReferenceDate }

  fileprivate init(seconds: Double, counter: UInt32, origin: String) {
    self.init(
      date: .init(timeIntervalSinceReferenceDate: seconds), counter: counter, origin: origin)
  }
}

extension UInt64 {
  /// 16 digits.
  package var hexadecimal: String {
    let digits = String(self, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}

extension String {
  /// The bytes, except printable ASCII other than "%", as a percent sign and two digits.
  fileprivate var percentEncoded: String {
    utf8.reduce(into: "") { text, byte in
      if byte > 0x20, byte < 0x7F, byte != UInt8(ascii: "%") {
        text.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        text += (byte < 16 ? "%0" : "%") + String(byte, radix: 16)
      }
    }
  }

  /// Nil if the text does not encode UTF-8.
  fileprivate init?(percentEncoded text: Substring) {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      if byte != UInt8(ascii: "%") {
        bytes.append(byte)
        continue
      }
      let digits = Substring(rest.prefix(2))
      guard digits.utf8.count == 2, let decoded = UInt8(digits, radix: 16) else { return nil }
      bytes.append(decoded)
      rest = rest.dropFirst(2)
    }
    self.init(validating: bytes, as: UTF8.self)
  }
}
