import Foundation
import TestSupport
import Testing

@testable import PropertyList

@Suite("Edited documents")
struct EditedPlistDocumentTests {
  /// A document, an edit, and the document after it.
  struct Case: CustomTestStringConvertible {
    let testDescription: String
    let format: PlistFormat
    let before: String
    let edit: PlistEdit
    let after: String

    init(
      _ description: String, _ format: PlistFormat, _ before: String, _ edit: PlistEdit,
      _ after: String
    ) {
      testDescription = description
      self.format = format
      self.before = before
      self.edit = edit
      self.after = after
    }

    static func xml(
      _ description: String, _ before: String, _ edit: PlistEdit, _ after: String
    ) -> Case {
      Case(
        description, .xml, "<plist>\n\(before)\n</plist>\n", edit, "<plist>\n\(after)\n</plist>\n")
    }
  }

  @Test("keep everything but what an edit changes", arguments: xmlCases + textCases)
  func edit(testCase: Case) throws {
    let options = PlistReadOptions.with { $0.allowsTypedValues = true }
    var document = try EditedPlistDocument(
      Data(testCase.before.utf8), as: testCase.format, options: options)
    try testCase.edit.apply(to: &document)
    #expect(String(decoding: document.data, as: UTF8.self) == testCase.after)
    #expect(document.rewriteReason == nil)
    let read = try Plist.read(document.data, as: testCase.format, options: options)
    #expect(read.value == document.value)
  }

  @Test(
    "keep the tags of a container that becomes empty, so that inserting undoes removing",
    arguments: [
      (
        PlistFormat.xml, "<plist>\n<dict>\n\t<key>a</key>\n\t<true/>\n</dict>\n</plist>",
        "<dict>\n</dict>"
      ),
      (.xml, "<plist><dict><key>a</key><true/></dict></plist>", "<dict></dict>"),
      (.json, "{\n  \"a\" : true\n}\n", "{\n}"),
    ])
  func emptied(format: PlistFormat, text: String, empty: String) throws {
    var document = try EditedPlistDocument(Data(text.utf8), as: format)
    try document.remove(at: "a")
    #expect(String(decoding: document.data, as: UTF8.self).contains(empty))
    try document.insert(true, at: "a")
    #expect(String(decoding: document.data, as: UTF8.self) == text)
  }

  // MARK: Encodings

  @Test("keep the encoding and the byte-order mark")
  func encodings() throws {
    let text = "\u{FEFF}/* é */\r\n\"a\" = \"日\";\r\n"
    let encodings: [(String.Encoding, PlistFormat)] = [
      (.utf8, .openStep), (.utf16LittleEndian, .openStep), (.utf16BigEndian, .openStep),
      (.utf32LittleEndian, .openStep), (.utf32BigEndian, .openStep),
    ]
    for (encoding, format) in encodings {
      var document = try EditedPlistDocument(
        try #require(text.data(using: encoding)), as: format)
      try document.insert("😀", at: "b")
      #expect(document.data == (text + "\"b\" = \"😀\";\r\n").data(using: encoding))
    }
  }

  @Test("keep the encodings of XML, with references for characters that they lack")
  func xmlEncodings() throws {
    let declarations: [(String, String.Encoding, String)] = [
      ("US-ASCII", .ascii, "&#233; &#8364; &#26085;"),
      ("ISO-8859-1", .isoLatin1, "é &#8364; &#26085;"),
      ("windows-1252", .windowsCP1252, "é € &#26085;"),
    ]
    for (name, encoding, expected) in declarations {
      func text(_ value: String) -> String {
        "<?xml version=\"1.0\" encoding=\"\(name)\"?>\n<plist><!-- c --><string>\(value)</string></plist>"
      }
      var document = try EditedPlistDocument(try #require(text("x").data(using: encoding)))
      try document.replace(at: PlistKeyPath(), with: "é € 日")
      #expect(String(data: document.data, encoding: encoding) == text(expected))
      #expect(document.rewriteReason == nil)
    }
  }

  @Test("keep an encoding that iconv knows")
  func namedEncoding() throws {
    let options = PlistReadOptions.with { $0.encoding = "MACINTOSH" }
    let data = Data("/* ".utf8) + [0x8E] + Data(" */ { a = \"".utf8) + [0x9F] + Data("\"; }".utf8)
    var document = try EditedPlistDocument(data, options: options)
    try document.insert("é日", at: "b")
    // The encoding lacks the last character, which is therefore escaped.
    let end = Data(" b = \"".utf8) + [0x8E] + Data("\\U65e5\"; }".utf8)
    #expect(document.data == data.dropLast(2) + end)
    #expect(document.rewriteReason == nil)
  }

  @Test("write a document anew whose bytes are not those of its encoding")
  func otherBytes() throws {
    let options = PlistReadOptions.with { $0.encoding = "UTF-7" }
    // UTF-7 allows this encoding of the letter, but does not require it.
    let data = Data("{ a = \"+AGE-\"; /* c */ }".utf8)
    var document = try EditedPlistDocument(data, options: options)
    try document.insert("x", at: "b")
    #expect(document.data == Data("{\n\ta = a;\n\tb = x;\n}\n".utf8))
    #expect(document.rewriteReason == .encoding("UTF-7"))
    #expect(
      document.rewriteReason.map { "\($0)" } == "the text cannot be written in UTF-7")
    // After this the document is UTF-8.
    try document.insert("é", at: "c")
    #expect(document.data == Data("{\n\ta = a;\n\tb = x;\n\tc = \"\\U00e9\";\n}\n".utf8))
  }

  // MARK: Documents that cannot be kept

  @Test("write a table anew that becomes another value")
  func table() throws {
    var document = try EditedPlistDocument(Data("/* c */\n\"a\" = \"b\";\n".utf8))
    try document.replace(at: PlistKeyPath(), with: ["x"])
    #expect(document.data == Data("(\n\tx\n)\n".utf8))
    #expect(document.rewriteReason.map { "\($0)" } == "a strings table cannot be an array")
  }

  @Test("edit binary documents, which have no text")
  func binary() throws {
    var document = try EditedPlistDocument(try Plist.write(["a": [1, 2]], as: .binary))
    try document.remove(at: "a.0")
    try document.append("x", toArrayAt: "a")
    try document.update(to: ["a": ["x"], "b": .time(0.5)])
    #expect(document.format == .binary)
    #expect(try Plist.read(document.data).value == document.value)
    #expect(document.value["b"] == .time(0.5))
    #expect(document.rewriteReason == nil)
  }

  @Test("refuse what would be read as another value")
  func otherValue() throws {
    let data = Data("<plist><dict><!-- c --></dict></plist>".utf8)
    var document = try EditedPlistDocument(data)
    #expect(throws: PlistEditError(.unwritable(.wouldBecomeUID), at: PlistKeyPath())) {
      try document.insert(5, at: "CF$UID")
    }
    #expect(document.data == data)
    #expect(document.value == [:])
  }

  // MARK: Errors

  @Test("throw what is wrong with a path or a value, and change nothing")
  func errors() throws {
    let data = Data(#"{"a": [1]}"#.utf8)
    var document = try EditedPlistDocument(data)
    let errors: [(PlistEdit, String)] = [
      (.insert(1, at: "a"), "there is already a value (key path a)"),
      (.insert(1, at: "a.2"), "index 2 is out of range: a has 1 element"),
      (.append(1, to: "b"), "there is no value (key path b)"),
      (.replace("b.c", with: 1), "there is no value (key path b)"),
      (.remove("b"), "there is no value (key path b)"), (.remove(""), "the root cannot be removed"),
      (.replace("a", with: [["x": .uid(1)]]), "JSON cannot represent UIDs (key path a.0.x)"),
      (.insert(.data(Data()), at: "b"), "JSON cannot represent data (key path b)"),
      (.update(["c": .real(.nan)]), "JSON cannot represent infinity or NaN (key path c)"),
    ]
    for (edit, message) in errors {
      #expect(errorText { try edit.apply(to: &document) } == message)
    }
    #expect(document.data == data)
    #expect(document.value == ["a": [1]])
  }

  @Test("write new values by their options")
  func options() throws {
    var document = try EditedPlistDocument(Data("{\n  \"a\": 1\n}\n".utf8))
    document.writeOptions.allowsLossyConversion = true
    try document.insert(.time(0), at: "b")
    #expect(document.value == ["a": 1, "b": "2001-01-01T00:00:00Z"])
    #expect(
      document.data == Data("{\n  \"a\": 1,\n  \"b\": \"2001-01-01T00:00:00Z\"\n}\n".utf8))
  }

  @Test("have the warnings of reading")
  func warnings() throws {
    let document = try EditedPlistDocument(Data("{ a = 1; a = 2; }".utf8))
    #expect(document.warnings.map(\.kind) == [.duplicateKey])
  }
}
