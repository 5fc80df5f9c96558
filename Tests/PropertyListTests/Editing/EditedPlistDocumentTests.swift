import Foundation
import Testing

@testable import PropertyList

@Suite("Edited documents")
struct EditedPlistDocumentTests {
  /// A document, an edit, and the document after it.
  struct Case: CustomTestStringConvertible {
    let testDescription: String
    let format: PlistFormat
    let before: String
    let edit: Edit
    let after: String

    enum Edit {
      case insert(PlistValue, at: String)
      case append(PlistValue, to: String)
      case replace(String, with: PlistValue)
      case remove(String)
      case update(PlistValue)
    }

    init(
      _ description: String, _ format: PlistFormat, _ before: String, _ edit: Edit, _ after: String
    ) {
      testDescription = description
      self.format = format
      self.before = before
      self.edit = edit
      self.after = after
    }

    static func xml(
      _ description: String, _ before: String, _ edit: Edit, _ after: String
    ) -> Case {
      Case(
        description, .xml, "<plist>\n\(before)\n</plist>\n", edit, "<plist>\n\(after)\n</plist>\n")
    }
  }

  static func apply(
    _ edit: Case.Edit, to document: inout EditedPlistDocument
  ) throws(PlistEditError) {
    switch edit {
    case .insert(let value, let path): try document.insert(value, at: PlistKeyPath(path))
    case .append(let value, let path): try document.append(value, toArrayAt: PlistKeyPath(path))
    case .replace(let path, let value): try document.replace(at: PlistKeyPath(path), with: value)
    case .remove(let path): try document.remove(at: PlistKeyPath(path))
    case .update(let value): try document.update(to: value)
    }
  }

  @Test("keep everything but what an edit changes", arguments: xmlCases + textCases)
  func edit(testCase: Case) throws {
    var options = PlistReadOptions()
    options.allowsTypedValues = true
    var document = try EditedPlistDocument(
      Data(testCase.before.utf8), as: testCase.format, options: options)
    try Self.apply(testCase.edit, to: &document)
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
    try document.remove(at: PlistKeyPath("a"))
    #expect(String(decoding: document.data, as: UTF8.self).contains(empty))
    try document.insert(true, at: PlistKeyPath("a"))
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
      try document.insert("😀", at: PlistKeyPath("b"))
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
    var options = PlistReadOptions()
    options.encoding = "MACINTOSH"
    let data = Data("/* ".utf8) + [0x8E] + Data(" */ { a = \"".utf8) + [0x9F] + Data("\"; }".utf8)
    var document = try EditedPlistDocument(data, options: options)
    try document.insert("é日", at: PlistKeyPath("b"))
    // The encoding lacks the last character, which is therefore escaped.
    let end = Data(" b = \"".utf8) + [0x8E] + Data("\\U65e5\"; }".utf8)
    #expect(document.data == data.dropLast(2) + end)
    #expect(document.rewriteReason == nil)
  }

  @Test("write a document anew whose bytes are not those of its encoding")
  func otherBytes() throws {
    var options = PlistReadOptions()
    options.encoding = "UTF-7"
    // Not every character needs to be encoded as it is here.
    let data = Data("{ a = \"+AGE-\"; /* c */ }".utf8)
    var document = try EditedPlistDocument(data, options: options)
    try document.insert("x", at: PlistKeyPath("b"))
    #expect(document.data == Data("{\n\ta = a;\n\tb = x;\n}\n".utf8))
    #expect(document.rewriteReason == .encoding("UTF-7"))
    #expect(
      document.rewriteReason.map { "\($0)" } == "the text cannot be written in UTF-7")
    // It is UTF-8 from now on.
    try document.insert("é", at: PlistKeyPath("c"))
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
    try document.remove(at: PlistKeyPath("a.0"))
    try document.append("x", toArrayAt: PlistKeyPath("a"))
    try document.update(to: ["a": ["x"], "b": .date(Date(timeIntervalSinceReferenceDate: 0.5))])
    #expect(document.format == .binary)
    #expect(try Plist.read(document.data).value == document.value)
    #expect(document.value[PlistKeyPath("b")] == .date(Date(timeIntervalSinceReferenceDate: 0.5)))
    #expect(document.rewriteReason == nil)
  }

  @Test("refuse what would be read as another value")
  func otherValue() throws {
    let data = Data("<plist><dict><!-- c --></dict></plist>".utf8)
    var document = try EditedPlistDocument(data)
    #expect(throws: PlistEditError(.unwritable(.wouldBecomeUID), at: PlistKeyPath())) {
      try document.insert(5, at: PlistKeyPath("CF$UID"))
    }
    #expect(document.data == data)
    #expect(document.value == [:])
  }

  // MARK: Errors

  @Test("throw what is wrong with a path or a value, and change nothing")
  func errors() throws {
    let data = Data(#"{"a": [1]}"#.utf8)
    var document = try EditedPlistDocument(data)
    let errors: [(Case.Edit, String)] = [
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
      do throws(PlistEditError) {
        try Self.apply(edit, to: &document)
        Issue.record("no error: \(message)")
      } catch {
        #expect("\(error)" == message)
      }
    }
    #expect(document.data == data)
    #expect(document.value == ["a": [1]])
  }

  @Test("write new values by their options")
  func options() throws {
    var document = try EditedPlistDocument(Data("{\n  \"a\": 1\n}\n".utf8))
    document.writeOptions.allowsLossyConversion = true
    try document.insert(.date(Date(timeIntervalSinceReferenceDate: 0)), at: PlistKeyPath("b"))
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
