internal import FoundationEssentials
internal import Preferences

/// The registry's marker of removals whose records were collected: a dictionary that is written
/// before the records are removed.
struct CollectedRemovals: Sendable, Equatable, Codable {
  /// The record of a removal with the latest time of a collected record; nil if none was collected.
  var last: Data?
  /// The greatest revision of a collected record.
  var revision: Int64 = 0
  /// When a machine last looked for records to collect.
  var checkDate: Date

  private enum CodingKeys: String, CodingKey {
    case last, revision
    case checkDate = "checked"
  }

  /// The latest time of a collected record.
  var time: HybridTime? { last.flatMap { try? SyncRecord($0).time } }

  mutating func add(_ removal: SyncRecord, revision: Int64) {
    if time.map({ $0 < removal.time }) ?? true { last = removal.data }
    self.revision = max(self.revision, revision)
  }
}
