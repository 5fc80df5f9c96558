public import FoundationEssentials
internal import Preferences
public import PropertyList

/// A value of one key and the time at which it was set, or the time at which the key was removed.
///
/// Its bytes are a binary property list: an array of the date and the value, or of the date alone for a
/// removal. Records are equal when their bytes are.
public struct SyncRecord: Sendable {
  /// When the value was set, or removed.
  public let date: Date
  /// The value; nil where it was removed.
  public let value: PlistValue?
  /// The bytes, the same for the same date and value.
  public let data: Data

  /// The record of a value, or of a removal.
  ///
  /// - Throws: Why the record could not be read again.
  public init(date: Date, value: PlistValue?) throws(SyncRecordError) {
    // No number, or beyond it: there would be nothing later.
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

  /// The record that bytes stand for.
  ///
  /// - Throws: Why they stand for none.
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
    // Written anew: others may have used other bytes for the same.
    try self.init(date: date, value: elements.count == 2 ? elements[1] : nil)
  }

  /// What a record may ask of the machine: some 64 MB.
  private static let limits: PlistLimits = {
    var limits = PlistLimits()
    limits.maximumSize = 64 << 20
    limits.maximumNodeCount = 1_000_000
    return limits
  }()

  /// The end of the year 9999, in seconds since 2001.
  private static let latestDate = 252_423_993_599.0

  /// Whether the record takes the other's place: the later one does, and of two of the same time the one
  /// whose bytes come later, which is the same one everywhere.
  public func supersedes(_ other: SyncRecord) -> Bool {
    date != other.date ? date > other.date : other.data.lexicographicallyPrecedes(data)
  }

  /// The time of a change that is made now, by one who has seen this record: at least a microsecond later,
  /// whatever the clock says.
  func dateOfNextChange(at now: Date) -> Date {
    let seconds = date.timeIntervalSinceReferenceDate
    // Far away in time a microsecond is less than what a date can express.
    let next = min(max(seconds + 0.000_001, seconds.nextUp), Self.latestDate)
    return max(now, Date(timeIntervalSinceReferenceDate: next))
  }
}

extension SyncRecord: Hashable {
  /// Whether both have the same date and the same value in the same storage.
  public static func == (left: SyncRecord, right: SyncRecord) -> Bool { left.data == right.data }

  /// Feeds the bytes.
  public func hash(into hasher: inout Hasher) { hasher.combine(data) }
}
