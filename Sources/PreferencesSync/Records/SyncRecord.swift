public import FoundationEssentials
public import Preferences
public import PropertyList

/// A value of a key and when it was set, or when the key was removed.
///
/// Its data is a binary property list: an array with the date, the counter and the origin of the
/// time, and the value, which a removal does not have. Counter and origin are omitted if the
/// counter is 0 and the origin is empty. Records are equal if their data is.
public struct SyncRecord: Sendable {
  /// When the value was set, or the key removed.
  public let time: HybridTime
  /// The value; nil for a removal.
  public let value: PlistValue?
  /// The encoded record, the same for the same time and value.
  public let data: Data

  /// The date of the time.
  public var date: Date { time.date }

  /// Creates the record of a value, or of a removal.
  ///
  /// - Throws: ``SyncRecordError`` if the record could not be decoded again.
  public init(time: HybridTime, value: PlistValue?) throws(SyncRecordError) {
    // NaN also fails this check. No valid date could be later than a date out of range.
    guard time.isInRange else { throw .dateOutOfRange }
    guard time.hasValidOrigin else { throw .notARecord }
    if let value, !value.isStorable { throw .unsupportedValue }
    var elements: [PlistValue] = [.date(time.date)]
    if time.counter > 0 || !time.origin.isEmpty {
      elements += [.integer(Int64(time.counter)), .string(time.origin)]
    }
    if let value { elements.append(value) }
    var options = PlistWriteOptions()
    options.limits = Self.limits
    do throws(PlistError) {
      data = try Plist.write(.array(elements), as: .binary, options: options)
    } catch {
      throw .notAPropertyList(error)
    }
    self.time = time
    self.value = value
  }

  /// Creates the record of a value, or of a removal, with a date and no origin.
  ///
  /// - Throws: ``SyncRecordError`` if the record could not be decoded again.
  public init(date: Date, value: PlistValue?) throws(SyncRecordError) {
    try self.init(time: HybridTime(date: date), value: value)
  }

  /// Decodes a record.
  ///
  /// - Throws: ``SyncRecordError`` if the data is not a record.
  public init(_ data: Data) throws(SyncRecordError) {
    var options = PlistReadOptions()
    options.limits = Self.limits
    let content: PlistValue
    do throws(PlistError) {
      content = try Plist.read(data, as: .binary, options: options).value
    } catch {
      throw .notAPropertyList(error)
    }
    guard case .array(let elements) = content, (1...4).contains(elements.count),
      case .date(let date) = elements[0]
    else { throw .notARecord }
    var time = HybridTime(date: date)
    let hasOrigin = elements.count > 2
    if hasOrigin {
      guard case .integer(let number) = elements[1], let counter = UInt32(exactly: number),
        case .string(let origin) = elements[2]
      else { throw .notARecord }
      time = HybridTime(date: date, counter: counter, origin: origin)
    }
    let values = elements.dropFirst(hasOrigin ? 3 : 1)
    // The record is encoded again, because its writer may have encoded it differently.
    try self.init(time: time, value: values.first)
  }

  /// The limits of an encoded record: 64 MiB and a million values.
  private static let limits: PlistLimits = {
    var limits = PlistLimits()
    limits.maximumSize = 64 << 20
    limits.maximumNodeCount = 1_000_000
    return limits
  }()

  /// Returns whether this record wins over another. The later record wins; of two with the same
  /// time, the record whose data is lexicographically greater wins, so that all machines agree.
  public func supersedes(_ other: SyncRecord) -> Bool {
    time != other.time ? time > other.time : other.data.lexicographicallyPrecedes(data)
  }
}

extension SyncRecord: Hashable {
  /// Returns whether two records have the same data.
  public static func == (left: SyncRecord, right: SyncRecord) -> Bool { left.data == right.data }

  /// Hashes the data.
  public func hash(into hasher: inout Hasher) { hasher.combine(data) }
}
