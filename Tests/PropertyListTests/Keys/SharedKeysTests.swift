import FoundationEssentials
import PropertyList
import Testing

/// Dictionaries that are read or encoded with the same keys share them in memory, which must not
/// affect results.
@Suite("Dictionaries that share their keys")
struct SharedKeysTests {
  /// Dictionaries with the same keys, with some of them, with more, in another order, and with
  /// none.
  private static let records: PlistValue = .array(
    (0..<30).map { index in
      let number = PlistValue.integer(Int64(index))
      var record: PlistDictionary = ["name": "a name", "size": number, "title": "t"]
      switch index % 6 {
      case 1: record["size"] = nil
      case 2: record["zone"] = true
      case 3: record = ["title": number, "name": "b", "size": 1]
      case 4: record = [:]
      case 5: record["only \(index)"] = number
      default: break
      }
      return .dictionary(record)
    })

  private static func elements(_ value: PlistValue) throws -> [PlistDictionary] {
    let elements = try #require(array(value))
    return elements.compactMap { if case .dictionary(let record) = $0 { record } else { nil } }
  }

  private static func array(_ value: PlistValue) -> [PlistValue]? {
    if case .array(let elements) = value { elements } else { nil }
  }

  @Test("are read as they were written, in every order", arguments: PlistFormat.allCases)
  func roundTrip(format: PlistFormat) throws {
    var options = PlistWriteOptions.with { $0.writesTypedValues = true }
    let readOptions = PlistReadOptions.with { $0.allowsTypedValues = true }
    for order in [PlistWriteOptions.KeyOrder.sorted, .document] {
      options.keyOrder = order
      let data = try Plist.write(Self.records, as: format, options: options)
      let read = try Plist.read(data, as: format, options: readOptions).value
      #expect(read == Self.records)
      #expect(try Plist.write(read, as: format, options: options) == data)
    }
  }

  @Test("are changed independently", arguments: [PlistFormat.xml, .binary, .json])
  func changes(format: PlistFormat) throws {
    let data = try Plist.write(Self.records, as: format)
    let original = try Self.elements(Self.records)
    let read = try Self.elements(try Plist.read(data, as: format).value)
    for position in read.indices {
      var changed = read
      changed[position]["name"] = "changed"
      changed[position]["new"] = 1
      changed[position].removeValue(forKey: "size")
      var expected = original[position]
      expected["name"] = "changed"
      expected["new"] = 1
      expected["size"] = nil
      #expect(changed[position] == expected)
      changed[position] = read[position]
      #expect(changed == original)
    }
    #expect(read == original)
  }

  @Test(
    "may have too many sets of keys, or too many keys, to be shared",
    arguments: [10, 63, 64, 65], [PlistFormat.xml, .binary, .json])
  func manyShapes(keys: Int, format: PlistFormat) throws {
    let records = PlistValue.array(
      (0..<40).map { index in
        .dictionary(
          PlistDictionary((0..<keys).map { ("shape \(index % 20) key \($0)", .integer(Int64($0))) })
        )
      })
    let data = try Plist.write(records, as: format)
    #expect(try Plist.read(data).value == records)
  }

  @Test("are encoded like others", arguments: [PlistFormat.xml, .binary])
  func encoding(format: PlistFormat) throws {
    struct Record: Codable, Equatable {
      var name: String
      var size: Int?
      var zone: Bool?
    }
    let records = (0..<20).map { index in
      Record(
        name: "n", size: index % 3 == 0 ? nil : index, zone: index % 4 == 0 ? nil : true)
    }
    let value = try PlistEncoder().encodeToValue(records)
    let expected = PlistValue.array(
      records.map { record in
        var entries: PlistDictionary = ["name": "n"]
        if let size = record.size { entries["size"] = .integer(Int64(size)) }
        if let zone = record.zone { entries["zone"] = .boolean(zone) }
        return .dictionary(entries)
      })
    #expect(value == expected)
    let data = try PlistEncoder(outputFormat: format).encode(records)
    #expect(try Plist.write(expected, as: format) == data)
    #expect(try PlistDecoder().decode([Record].self, from: data) == records)
  }
}
