import Foundation
import PropertyList
import Testing

@Suite("The map of a binary property list")
struct BinaryLayoutTests {
  @Test("has the bytes of objects, the table, gaps, and what can be reached")
  func parts() throws {
    var assembly = BinaryAssembly([
      [0xD1, 1, 2], BinaryAssembly.string("key"), [0xA2, 1, 3], [0x13, 0, 0, 0, 0, 0, 0, 0, 7],
      BinaryAssembly.string("lost") + [0xEE, 0xEE], [0x5F, 0x10, 2, 0x61, 0x62],
    ])
    let map = try #require(BinaryLayout(assembly.data))
    #expect(map.objects.map(\.range) == [8..<11, 11..<15, 15..<18, 18..<27, 27..<32, 34..<39])
    #expect(map.objects.map(\.marker) == [0xD1, 0x53, 0xA2, 0x13, 0x54, 0x5F])
    #expect(map.objects.map(\.isReachable) == [true, true, true, true, false, false])
    #expect(map.gaps == [32..<34])
    #expect(map.table == 39..<45)
    #expect(map.topObject == 0)
    #expect(map.sizes == (1, 1))
    #expect(map.members(of: 0, keys: ["key"], count: 1)?.map(\.key) == [1])
    #expect(map.members(of: 0, keys: ["key"], count: 1)?.map(\.value) == [2])
    #expect(map.members(of: 2, keys: [], count: 2)?.map(\.value) == [1, 3])
    #expect(map.members(of: 2, keys: [], count: 3) == nil)
    assembly.topObject = 2
    let other = try #require(BinaryLayout(assembly.data))
    #expect(other.objects.map(\.isReachable) == [false, true, true, true, false, false])
  }

  @Test("looks up the values of repeated keys, of which the last counts")
  func repeatedKeys() throws {
    let data = BinaryAssembly([
      [0xD3, 1, 1, 2, 3, 4, 5], BinaryAssembly.string("a"), BinaryAssembly.string("b"), [0x08],
      [0x09], [0x10, 1],
    ]).data
    let map = try #require(BinaryLayout(data))
    let members = try #require(map.members(of: 0, keys: ["a", "b"], count: 2))
    #expect(members.map(\.value) == [4, 5])
    #expect(members.map(\.key) == [nil, nil])
    #expect(try Plist.read(data).value == ["a": true, "b": 1])
  }

  @Test("leaves out objects that are not valid")
  func damage() throws {
    var assembly = BinaryAssembly([
      [0xA3, 1, 2, 9], [0x5F, 0x10, 200, 0x61], [0x08], [0xD1, 0, 3], [0x13, 0], [0x70],
    ])
    assembly.offsets = [2: 200]
    let map = try #require(BinaryLayout(assembly.data))
    #expect(map.objects.map(\.range) == [8..<12, nil, nil, 17..<20, nil, 22..<23])
    #expect(map.objects.map(\.marker) == [0xA3, 0x5F, nil, 0xD1, 0x13, 0x70])
    #expect(map.objects.map(\.isReachable) == [true, true, true, false, false, false])
    #expect(map.members(of: 0, keys: [], count: 3) == nil)
  }

  @Test("needs a valid trailer")
  func trailers() {
    #expect(BinaryLayout(Data()) == nil)
    #expect(BinaryLayout(Data("<plist/>".utf8)) == nil)
    var assembly = BinaryAssembly([[0x08]])
    assembly.objectCount = 5
    #expect(BinaryLayout(assembly.data) == nil)
    assembly.objectCount = nil
    #expect(BinaryLayout(assembly.data.dropFirst(0)) != nil)
    #expect(BinaryLayout((Data([0]) + assembly.data).dropFirst()) != nil)
  }
}
