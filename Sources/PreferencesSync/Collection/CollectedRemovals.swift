internal import FoundationEssentials
internal import PropertyList

/// The registry's marker of removals whose records were collected: a dictionary that is written
/// before the records are removed.
struct CollectedRemovals: Sendable, Equatable {
  /// The latest time of a collected record; nil if none was.
  var time: HybridTime?
  /// The greatest revision of a collected record.
  var revision: Int64 = 0
  /// When a machine last looked for records to collect.
  var checkDate: Date
}

extension CollectedRemovals {
  private enum Name {
    static let last = "last"
    static let revision = "revision"
    static let checkDate = "checked"
  }

  /// Decodes the dictionary; nil if it is invalid.
  init?(_ data: Data) {
    guard let values = RegistryCoding.dictionary(data),
      case .date(let checkDate)? = values[Name.checkDate],
      case .integer(let revision)? = values[Name.revision]
    else { return nil }
    if let last = values[Name.last] {
      guard case .data(let data) = last, let record = try? SyncRecord(data) else { return nil }
      time = record.time
    }
    self.revision = revision
    self.checkDate = checkDate
  }

  /// The encoded dictionary, with the time as the record of a removal.
  var data: Data? {
    var values: PlistDictionary = [
      Name.revision: .integer(revision), Name.checkDate: .date(checkDate),
    ]
    if let time {
      guard let record = try? SyncRecord(time: time, value: nil) else { return nil }
      values[Name.last] = .data(record.data)
    }
    return RegistryCoding.data(values)
  }

  /// Adds a record that is to be collected.
  mutating func add(_ record: SyncRecord, revision: Int64) {
    time = time.map { max($0, record.time) } ?? record.time
    self.revision = max(self.revision, revision)
  }
}
