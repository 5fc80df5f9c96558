import Testing

@testable import PropertyList

@Suite("Elements of XML property lists")
struct PlistElementTests {
  /// The element of a name with text behind it.
  private func element(_ name: String, behind rest: String) -> PlistElement? {
    let bytes = Array("<\(name)\(rest)".utf8)
    return bytes.withUnsafeBytes { PlistElement($0, 1..<1 + name.utf8.count) }
  }

  @Test("are found by their names, wherever the text ends", arguments: PlistElement.allCases)
  func names(known: PlistElement) {
    for rest in ["", ">", ">x", "/>", " a='b'>", ">0123456789"] {
      #expect(element(known.rawValue, behind: rest) == known)
      for other in [
        known.rawValue.uppercased(), known.rawValue + "s", "x" + known.rawValue,
        String(known.rawValue.dropLast()), known.rawValue + "\0", known.rawValue + "é",
      ] {
        #expect(element(other, behind: rest) == nil, "\(other)")
      }
    }
  }

  @Test("have no empty and no long names")
  func otherNames() {
    #expect(element("", behind: ">0123456789") == nil)
    #expect(element("stringstring", behind: ">0123456789") == nil)
    #expect(element("integers", behind: ">0123456789") == nil)
  }
}
