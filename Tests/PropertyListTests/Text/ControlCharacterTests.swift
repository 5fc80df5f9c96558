import PropertyList
import Testing

@Suite struct ControlCharacterTests {
  @Test func `control characters are those of Unicode's category`() {
    let scalars = (UInt32(0)...0x10FFFF).lazy.compactMap(Unicode.Scalar.init)
    let differing = scalars.filter { $0.isControl != ($0.properties.generalCategory == .control) }
    #expect(Array(differing) == [])
  }
}
