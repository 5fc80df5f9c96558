import FoundationEssentials
import PropertyList
import Testing

@testable import Preferences
@testable import PreferencesSync

@Suite("A record is a time and a value")
struct SyncRecordTests {
  static let values: [PlistValue?] = [
    nil, "text", "", 1, -1, .unsignedInteger(.max), 1.5, .float(1.5), .real(.nan), .real(.infinity),
    true, false, .date(Date(timeIntervalSinceReferenceDate: 0.25)), .data(Data(0...255)), .uid(7),
    [], [:], ["a", [1, ["b": 2.0]]], ["z": 1, "\u{E9}": 2, "e\u{301}": 3],
  ]

  static let notARecord =
    "not a record; expected an array of a date, a counter, an origin, and at most one value"

  static func nested(_ levels: Int) -> PlistValue {
    (0..<levels).reduce("core") { value, _ in [value] }
  }

  @Test(
    "A decoded record equals the encoded one",
    arguments: values, [0, 0.1, -1e9, 8.1e8, 800_000_000.000_001, 252_423_993_598])
  func roundTrip(value: PlistValue?, seconds: Double) throws {
    let date = Date(timeIntervalSinceReferenceDate: seconds)
    let record = try SyncRecord(date: date, value: value)
    let read = try SyncRecord(record.data)
    #expect(read == record)
    #expect(read.date == date)
    #expect(read.value == value)
  }

  @Test("It can hold every value that preferences can, up to the deepest level")
  func depth() throws {
    let record = try SyncRecord(date: .now, value: Self.nested(511))
    #expect(try SyncRecord(record.data).value == record.value)
    #expect(throws: SyncRecordError.unsupportedValue) {
      try SyncRecord(date: .now, value: Self.nested(512))
    }
  }

  @Test(
    "NaN and far dates are rejected",
    arguments: [Double.nan, .infinity, -.infinity, 1e300, -1e300, 252_423_993_599])
  func dates(seconds: Double) throws {
    let date = Date(timeIntervalSinceReferenceDate: seconds)
    #expect(throws: SyncRecordError.dateOutOfRange) { try SyncRecord(date: date, value: 1) }
  }

  @Test(
    "Data that is not a record is rejected with a reason",
    arguments: [
      (Data(), "the document is empty; expected a property list"),
      (Data("<plist/>".utf8), "byte 0: "),
      (Self.bytes(1), Self.notARecord),
      (Self.bytes([]), Self.notARecord),
      (Self.bytes([1, 1]), Self.notARecord),
      (
        Self.bytes([.date(.distantPast), 1, 2]),
        Self.notARecord
      ),
      (
        Self.bytes([.date(Date(timeIntervalSinceReferenceDate: 1e12)), 1]),
        "the date of the record is out of range; expected one before the last second of the year 9999"
      ),
      (
        Self.bytes([.date(.distantPast), .null]),
        "the record holds a value that preferences cannot store"
      ),
      (
        Self.bytes([.date(.distantPast), ["a": .set([1])]]),
        "the record holds a value that preferences cannot store"
      ),
    ])
  func rejection(data: Data, text: String) {
    do {
      _ = try SyncRecord(data)
      Issue.record("the data is a record")
    } catch {
      #expect("\(error)".hasPrefix(text), "\(error)")
    }
  }

  static func bytes(_ value: PlistValue) -> Data {
    (try? Plist.write(value, as: .binary)) ?? Data()
  }

  @Test("An encoded date of NaN is rejected")
  func notANumber() throws {
    let record = try SyncRecord(date: Date(timeIntervalSinceReferenceDate: 1.5), value: nil)
    var data = record.data
    // The marker of a date, and the exponent of NaN.
    let place = try #require(data.firstIndex(of: 0x33))
    data.replaceSubrange(place + 1..<place + 3, with: [0x7F, 0xF8])
    #expect(throws: SyncRecordError.self) { try SyncRecord(data) }
  }

  @Test("Damaged data is rejected or another record")
  func damage() throws {
    let data = try SyncRecord(date: .now, value: ["a": [1, 2.5], "b": .data(Data(0...99))]).data
    for count in 0..<data.count {
      #expect(throws: SyncRecordError.self) { try SyncRecord(data.prefix(count)) }
    }
    for place in data.indices {
      for flip in [0x01, 0x80, 0xFF] as [UInt8] {
        var damaged = data
        damaged[place] ^= flip
        if let record = try? SyncRecord(damaged) { #expect(try SyncRecord(record.data) == record) }
      }
    }
  }

  @Test("Little data with very many values is rejected")
  func expansion() throws {
    // Nine nested arrays, each with eight references to the next one: 8^9 values.
    var objects: [[UInt8]] = [[0xA2, 1, 2], [0x33] + [UInt8](repeating: 0, count: 8)]
    for level in 0..<9 {
      objects.append([0xA8] + [UInt8](repeating: UInt8(level + 3), count: 8))
    }
    objects.append([0x09])
    var bytes = Array("bplist00".utf8)
    var offsets: [UInt8] = []
    for object in objects {
      offsets.append(UInt8(bytes.count))
      bytes += object
    }
    let table = UInt8(bytes.count)
    bytes += offsets
    bytes += [0, 0, 0, 0, 0, 0, 1, 1] + [0, 0, 0, 0, 0, 0, 0, UInt8(objects.count)]
    bytes += [0, 0, 0, 0, 0, 0, 0, 0] + [0, 0, 0, 0, 0, 0, 0, table]
    #expect {
      try SyncRecord(Data(bytes))
    } throws: { error in
      "\(error)".contains("1000000")
    }
  }

  @Test("Of two different records exactly one supersedes the other")
  func order() throws {
    let dates = [0, 1, 1.000_001].map { Date(timeIntervalSinceReferenceDate: $0) }
    let records = try dates.flatMap { date in
      try Self.values.map { try SyncRecord(date: date, value: $0) }
    }
    for left in records {
      for right in records {
        #expect(left.supersedes(right) != right.supersedes(left) || left == right)
        if left.date > right.date { #expect(left.supersedes(right)) }
      }
    }
    // The order is total, so sorting does not depend on the order of the input.
    let sorted = records.sorted { $1.supersedes($0) }
    #expect(records.reversed().sorted { $1.supersedes($0) } == sorted)
  }

  @Test("Records of dates alone are read, and are written as before")
  func dateAlone() throws {
    let date = Date(timeIntervalSinceReferenceDate: 8e8)
    for value in [nil, 1] as [PlistValue?] {
      let data = Self.bytes(.array([.date(date)] + (value.map { [$0] } ?? [])))
      let record = try SyncRecord(data)
      #expect(record.time == HybridTime(date: date))
      #expect(record.value == value)
      #expect(record.data == data)
    }
  }

  @Test(
    "A counter and an origin are kept",
    arguments: [(1, ""), (0, "a"), (UInt32.max, String(repeating: "~", count: 64))])
  func counterAndOrigin(counter: UInt32, origin: String) throws {
    let time = HybridTime(date: .now, counter: counter, origin: origin)
    for value in [nil, "v"] as [PlistValue?] {
      let record = try SyncRecord(time: time, value: value)
      let read = try SyncRecord(record.data)
      #expect(read.time == time)
      #expect(read.value == value)
    }
  }

  @Test(
    "Other counters and origins are rejected",
    arguments: [
      [-1, "a"], [4_294_967_296, "a"], ["1", "a"], [1, 1], [1, "a b"], [1, "\u{E9}"],
      [1, .string(String(repeating: "a", count: 65))],
    ] as [[PlistValue]])
  func wrongOrigins(elements: [PlistValue]) {
    let data = Self.bytes(.array([.date(Date(timeIntervalSinceReferenceDate: 1))] + elements + [1]))
    #expect(throws: SyncRecordError.notARecord) { try SyncRecord(data) }
  }
}
