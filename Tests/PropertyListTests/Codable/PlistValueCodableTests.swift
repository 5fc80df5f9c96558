import Foundation
import PropertyList
import Testing

@Suite("A value with other coders")
struct PlistValueCodableTests {
  private func json(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  @Test("is written as the closest kind")
  func encoding() throws {
    let value: PlistValue = [
      "array": [1, "a", true, 1.5, .float(0.5)], "data": .data(Data([1, 2])),
      "date": .time(5), "dictionary": [:], "null": .null,
      "set": .set([1]), "uid": .uid(7), "unsigned": .unsignedInteger(.max),
    ]
    #expect(
      try json(value)
        == #"{"array":[1,"a",true,1.5,0.5],"data":"AQI=","date":5,"dictionary":{},"null":null,"#
        + #""set":[1],"uid":{"CF$UID":7},"unsigned":18446744073709551615}"#)
    #expect(try json(["a": 1] as PlistDictionary) == #"{"a":1}"#)
  }

  @Test("is read as the kind that it looks like")
  func decoding() throws {
    let text =
      #"{"a":[1,-1,18446744073709551615,1.5,true,"s",null,{}],"u":{"CF$UID":7},"#
      + #""n":{"CF$UID":-1}}"#
    #expect(
      try JSONDecoder().decode(PlistValue.self, from: Data(text.utf8)) == [
        "a": [1, -1, .unsignedInteger(.max), 1.5, true, "s", .null, [:]], "u": .uid(7),
        "n": ["CF$UID": -1],
      ])
    #expect(
      try JSONDecoder().decode(PlistDictionary.self, from: Data(#"{"a":1}"#.utf8)) == ["a": 1])
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(PlistDictionary.self, from: Data("[]".utf8))
    }
  }

  @Test("is refused if it is nested deeper than 512 levels")
  func depth() throws {
    var list: PlistValue = []
    var map: PlistValue = [:]
    for _ in 0..<512 {
      list = [list]
      map = ["a": map]
    }
    for value in [list, map] {
      let error = #expect(throws: EncodingError.self) { try PropertyListEncoder().encode(value) }
      guard case .invalidValue(_, let context)? = error else { continue }
      let texts = [
        context.debugDescription, "\(context.underlyingError ?? CocoaError(.coderInvalidValue))",
      ]
      #expect(texts.contains { $0.contains("nested deeper than 512 levels") }, "\(texts)")
    }
  }
}
