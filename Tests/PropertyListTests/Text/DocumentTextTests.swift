import Foundation
import Testing

@testable import PropertyList

@Suite("The text of a document in which errors count lines and columns")
struct DocumentTextTests {
  @Test("Each character has a line and a column that lead back to it")
  func locations() {
    let bytes =
      Array("a\r\n\u{E4}\u{20AC}\r\u{1F600}x\n\n".utf8) + [0x80, 0xFF, 0xE2, 0x82, 0x0A, 0x7A]
    let text = DocumentText(Data(bytes))
    var places: [String] = []
    for offset in [0, 1, 3, 5, 8, 9, 13, 14, 15, 16, 18, 20, 21, 22] {
      let (line, column) = text.lineAndColumn(of: offset)
      places.append("\(line).\(column)")
      #expect(text.offset(of: .line(line, column: column)) == offset, "\(line).\(column)")
    }
    // A byte that cannot begin a character is counted with the next one.
    #expect(
      places == [
        "1.1", "1.2", "2.1", "2.2", "2.3", "3.1", "3.2", "3.3", "4.1", "5.1", "5.2", "5.3",
        "6.1", "6.2",
      ])
  }

  @Test("Behind the end of a line is its end, and behind the last line the end of the text")
  func ends() {
    let text = DocumentText(Data("ab\r\ncd\ne".utf8))
    #expect(text.offset(of: .line(1, column: 9)) == 2)
    #expect(text.offset(of: .line(2, column: 3)) == 6)
    #expect(text.offset(of: .line(3, column: 9)) == 8)
    #expect(text.offset(of: .line(9, column: 1)) == 8)
    #expect(text.offset(of: .byte(9)) == 8)
    #expect(DocumentText(Data()).offset(of: .line(1, column: 1)) == 0)
  }

  @Test(
    "It is converted to UTF-8",
    arguments: [
      (Data([0xFF, 0xFE, 0xE4, 0]), "\u{E4}"), (Data([0xFE, 0xFF, 0, 0xE4]), "\u{E4}"),
      (Data([0, 0, 0xFE, 0xFF, 0, 0, 0, 0xE4]), "\u{E4}"),
      (Data([0, 0x3C, 0, 0x3F]), "<?"),
      (
        Data("<?xml version='1.0' encoding='ISO-8859-1'?>".utf8) + [0xE4],
        "<?xml version='1.0' encoding='ISO-8859-1'?>\u{E4}"
      ),
    ])
  func encodings(document: Data, text: String) {
    let converted = DocumentText(document)
    #expect(converted.isConverted)
    #expect(String(decoding: converted.data, as: UTF8.self) == text)
  }

  @Test("OpenStep text without a mark is in the encoding that is named")
  func namedEncoding() {
    let converted = DocumentText(Data("a\u{A5}".utf8).dropLast(2) + [0x8A], encoding: "MACINTOSH")
    #expect(converted.isConverted)
    #expect(String(decoding: converted.data, as: UTF8.self) == "a\u{E4}")
    #expect(!DocumentText(Data("bplist00\u{E4}".utf8), encoding: "MACINTOSH").isConverted)
  }

  @Test(
    "In UTF-8 and in an unknown encoding it is as it is, and a byte-order mark is not counted",
    arguments: [
      "\u{FEFF}{", "<?xml version='1.0' encoding='x'?>", "{",
      "\u{FEFF}<?xml version='1.0' encoding='ISO-8859-1'?>",
    ])
  func unconverted(document: String) {
    // A slice with other indices.
    let text = DocumentText((Data([0]) + Data(document.utf8)).dropFirst())
    #expect(!text.isConverted)
    #expect(text.data.startIndex == 0)
    #expect(text.data == Data(document.utf8))
    let markLength = document.hasPrefix("\u{FEFF}") ? 3 : 0
    #expect(text.offset(of: .line(1, column: 1)) == markLength)
    #expect(text.lineAndColumn(of: 0) == (1, 1))
    #expect(text.lineAndColumn(of: markLength) == (1, 1))
  }
}
