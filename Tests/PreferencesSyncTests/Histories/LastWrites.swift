import Foundation
import PreferencesSync
import PropertyList

/// The writes of a run in which all clocks are right: of each key, the last one is the value at rest,
/// except where the only file that had it was replaced on purpose.
struct LastWrites {
  private struct Write {
    var machine: Int
    var value: String?
    var date: Date
    /// Whether the only file that had it was replaced.
    var mayBeLost: Bool
  }

  private var writes: [String: [Write]] = [:]
  /// The values of restored copies, or of keys that were not synchronized for a while. They may
  /// return once their removal is forgotten.
  private var copies: [String: Set<String>] = [:]
  /// The keys whose values had no stamps: they are not checked.
  private var timeless: Set<String> = []
  private var count = 0

  /// Notes a write, and returns its value.
  mutating func add(
    _ key: String, isRemoval: Bool, on machine: Int, at date: Date
  ) -> String? {
    count += 1
    let value = isRemoval ? nil : "\(count) of \(machine)"
    writes[key, default: []].append(
      Write(machine: machine, value: value, date: date, mayBeLost: false))
    return value
  }

  mutating func addCopy(of value: String?, forKey key: String) {
    if let value { copies[key, default: []].insert(value) }
  }

  /// Notes that a value was not dated when it was written, because its file had no stamps.
  mutating func addTimeless(_ key: String) { timeless.insert(key) }

  /// Notes that a machine may lose what the remote store does not have.
  ///
  /// - Parameter records: The records of the remote store.
  mutating func lose(
    _ keys: [String], of machine: Int, except records: [String: SyncRecord]
  ) {
    for key in keys {
      for (number, write) in (writes[key] ?? []).enumerated() where write.machine == machine {
        if records[key].map({ $0.date >= write.date }) != true {
          writes[key]?[number].mayBeLost = true
        }
      }
    }
  }

  /// Returns what is wrong with a value at rest; nil if nothing is.
  func problem(with value: String?, forKey key: String) -> String? {
    if timeless.contains(key) { return nil }
    var expected: [String] = []
    for write in (writes[key] ?? []).reversed() {
      if write.value == value { return nil }
      expected.append(write.value ?? "no value")
      if !write.mayBeLost {
        let mayReturn =
          write.value == nil && value.map { copies[key]?.contains($0) ?? false } ?? false
        return mayReturn
          ? nil : "\(key) is \(value ?? "missing"); expected \(expected.joined(separator: " or "))"
      }
    }
    return value == nil ? nil : "\(key) is \(value ?? ""), which was not written"
  }

  /// The writes of a key, to look for the cause.
  func history(of key: String) -> String {
    (writes[key] ?? []).suffix(12).map { write in
      "  \(Int(write.date.timeIntervalSinceReferenceDate)): machine \(write.machine) "
        + "\(write.value ?? "removes it")\(write.mayBeLost ? ", may be lost" : "")"
    }.joined(separator: "\n")
  }
}
