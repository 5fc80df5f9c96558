public import FoundationEssentials
internal import Preferences
public import PropertyList

/// A value of a key with the time at which it was set, or the time at which the key was removed.
///
/// Its data is a binary property list: an array of the date and the value, or of the date alone for
/// a removal. Records are equal if their data is.
public struct SyncRecord: Sendable {
  /// When the value was set, or removed.
  public let date: Date
  /// The value; nil for a removal.
  public let value: PlistValue?
  /// The encoded record, the same for the same date and value.
  public let data: Data

  /// Creates the record of a value, or of a removal.
  ///
  /// - Throws: ``SyncRecordError`` if the record could not be decoded again.
  public init(date: Date, value: PlistValue?) throws(SyncRecordError) {
    // NaN fails this check, too. No date could be later than one out of range.
    guard abs(date.timeIntervalSinceReferenceDate) <= Self.latestDate else { throw .dateOutOfRange }
    if let value, !value.isStorable { throw .unsupportedValue }
    var options = PlistWriteOptions()
    options.limits = Self.limits
    do throws(PlistError) {
      data = try Plist.write(
        .array([.date(date)] + (value.map { [$0] } ?? [])), as: .binary, options: options)
    } catch {
      throw .notAPropertyList(error)
    }
    self.date = date
    self.value = value
  }

  /// Decodes a record.
  public init(_ data: Data) throws(SyncRecordError) {
    var options = PlistReadOptions()
    options.limits = Self.limits
    let content: PlistValue
    do throws(PlistError) {
      content = try Plist.read(data, as: .binary, options: options).value
    } catch {
      throw .notAPropertyList(error)
    }
    guard case .array(let elements) = content, elements.count == 1 || elements.count == 2,
      case .date(let date) = elements[0]
    else { throw .notARecord }
    // Encoded again: another writer may have chosen another encoding.
    try self.init(date: date, value: elements.count == 2 ? elements[1] : nil)
  }

  /// The limits of an encoded record: 64 MiB and a million values.
  private static let limits: PlistLimits = {
    var limits = PlistLimits()
    limits.maximumSize = 64 << 20
    limits.maximumNodeCount = 1_000_000
    return limits
  }()

  /// The end of the year 9999, in seconds since 2001.
  private static let latestDate = 252_423_993_599.0

  /// Returns whether this record wins over another one: the later one does, and of two with the
  /// same date the one whose data is lexicographically greater, so that all machines agree.
  public func supersedes(_ other: SyncRecord) -> Bool {
    date != other.date ? date > other.date : other.data.lexicographicallyPrecedes(data)
  }

  /// Returns the date of a change made now, with knowledge of this record: at least a microsecond
  /// after the record's date, whatever the clock says.
  func dateOfNextChange(at now: Date) -> Date {
    let seconds = date.timeIntervalSinceReferenceDate
    // Far from 2001 a microsecond is less than the resolution of a date.
    let next = min(max(seconds + 0.000_001, seconds.nextUp), Self.latestDate)
    return max(now, Date(timeIntervalSinceReferenceDate: next))
  }
}

extension SyncRecord: Hashable {
  /// Returns whether two records have the same data.
  public static func == (left: SyncRecord, right: SyncRecord) -> Bool { left.data == right.data }

  /// Hashes the data.
  public func hash(into hasher: inout Hasher) { hasher.combine(data) }
}
