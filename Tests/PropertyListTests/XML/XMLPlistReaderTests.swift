import Foundation
import Testing

@testable import PropertyList

@Suite("The XML reader")
struct XMLPlistReaderTests {
  // MARK: Accepted documents

  @Test("accepts", arguments: XMLTestDocuments.acceptedElements)
  func accepts(element: String, value: PlistValue) throws {
    let document = try read(XMLTestDocuments.document(element))
    #expect(document.value == ["a": value])
    #expect(document.value["a"]?.kind == value.kind)
    #expect(document.warnings == [])
  }

  @Test(
    "accepts any year",
    arguments: [
      ("0001-01-01", 1, 1, 1), ("0000-12-31", 0, 12, 31), ("-001-03-01", -1, 3, 1),
      ("-4712-01-01", -4712, 1, 1), ("9999-12-31", 9999, 12, 31), ("12024-02-29", 12024, 2, 29),
      ("1900-02-28", 1900, 2, 28), ("2000-02-29", 2000, 2, 29),
    ])
  func acceptsAnyYear(text: String, year: Int, month: Int, day: Int) throws {
    let value = try read("<plist><date>\(text)T00:00:00Z</date></plist>").value
    guard case .date(let date) = value else {
      Issue.record("\(value) is not a date")
      return
    }
    #expect(date.propertyListText == "\(text)T00:00:00Z")
    // The machine's calendar turns Julian in 1582.
    if year > 1582 {
      #expect(
        date.timeIntervalSinceReferenceDate == seconds(year: year, month: month, day: day))
    }
  }

  @Test("reads every day of eight centuries as the calendar counts them")
  func countsDays() throws {
    var day = 0
    for year in 1801...2600 {
      let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
      let lengths = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
      for (month, length) in lengths.enumerated() {
        for dayOfMonth in 1...length {
          let interval = Double(day - 73_049) * 86400
          let text = Date(timeIntervalSinceReferenceDate: interval).propertyListText ?? ""
          let digits = { (number: Int) in number < 10 ? "0\(number)" : "\(number)" }
          try #require(text == "\(year)-\(digits(month + 1))-\(digits(dayOfMonth))T00:00:00Z")
          try #require(
            try UTCDateTime.date(Array(text.utf8), lenient: false).timeIntervalSinceReferenceDate
              == interval)
          day += 1
        }
      }
    }
  }

  @Test(
    "accepts ISO 8601's fractions and offsets where dates are lenient",
    arguments: [
      ("2001-01-01T00:00:00.25Z", 0.25), ("2001-01-01T01:00:00+01:00", 0),
      ("2000-12-31T20:30:00-0330", 0), ("2001-01-01T00:00:00Z", 0),
      ("2001-01-01T00:00:01.5-00:01", 61.5),
    ])
  func lenientDates(text: String, interval: Double) throws {
    let options = PlistReadOptions.with { $0.allowsLenientDates = true }
    let document = try read("<plist><date>\(text)</date></plist>", options: options)
    #expect(document.value == .time(interval))
    #expect(
      document.warnings.map(\.description)
        == (text == "2001-01-01T00:00:00Z"
          ? [] : ["line 1 column 14: the date is not in the form YYYY-MM-DDTHH:MM:SSZ"]))
  }

  @Test("accepts around the root element", arguments: XMLTestDocuments.accepted)
  func acceptsDocuments(text: String, value: PlistValue) throws {
    let document = try read(text)
    #expect(document.value == value)
    #expect(document.warnings == [])
  }

  @Test(
    "accepts the encodings of property lists",
    arguments: [
      ("UTF-8", String.Encoding.utf8, true), ("UTF-16", .utf16, true), ("UTF-16", .utf16, false),
      ("UTF-16LE", .utf16LittleEndian, true), ("UTF-16BE", .utf16BigEndian, true),
      ("ISO-8859-1", .isoLatin1, true), ("windows-1252", .windowsCP1252, true),
      ("US-ASCII", .ascii, true), ("us-ascii", .ascii, true),
    ])
  func encodings(name: String, encoding: String.Encoding, declared: Bool) throws {
    let content = encoding == .ascii ? "e" : encoding == .windowsCP1252 ? "é€" : "é"
    let declaration = declared ? "<?xml version=\"1.0\" encoding=\"\(name)\"?>" : ""
    let text = "\(declaration)\n<plist><string>\(content)</string></plist>\n"
    let data = try #require(text.data(using: encoding))
    let document = try Plist.read(data)
    #expect(document.format == .xml)
    #expect(document.value == .string(content))
  }

  @Test(
    "accepts white space before a declaration in UTF-16",
    arguments: [
      ([0xFF, 0xFE], String.Encoding.utf16LittleEndian), ([0xFE, 0xFF], .utf16BigEndian),
    ] as [([UInt8], String.Encoding)])
  func spaceInUTF16(mark: [UInt8], encoding: String.Encoding) throws {
    let text =
      " \n <?xml version=\"1.0\" encoding=\"UTF-16\"?>\n<plist><string>é</string><x/></plist>"
    let data = Data(mark) + text.data(using: encoding)!
    #expect(readError(data) == "line 3 column 26: <x> is not a property list element")
  }

  @Test("keeps the order of keys, and composed and decomposed keys apart")
  func order() throws {
    let value = try read(
      "<plist><dict><key>z</key><true/><key>e\u{301}</key><true/><key>\u{E9}</key><false/></dict></plist>"
    ).value
    #expect(
      keys(of: value).map { Array($0.utf8) } == ["z", "e\u{301}", "\u{E9}"].map { Array($0.utf8) })
  }

  // MARK: Warnings

  @Test("accepts with a warning", arguments: XMLTestDocuments.acceptedWithWarning)
  func warns(text: String, value: PlistValue, warnings: [String]) throws {
    let document = try read(text)
    #expect(document.value == value)
    #expect(document.warnings.map(\.description) == warnings)
  }

  // MARK: Refused documents

  @Test("refuses", arguments: XMLTestDocuments.refusedElements)
  func refuses(element: String, column: Int, error: String) {
    #expect(readError(XMLTestDocuments.document(element)) == "line 4 column \(column): \(error)")
  }

  @Test(
    "refuses a year whose seconds a double cannot count",
    arguments: ["200000001", "-200000001", "99999999999999999999999"])
  func refusesFarYears(year: String) {
    #expect(
      readError("<plist><date>\(year)-01-01T00:00:00Z</date></plist>")
        == "line 1 column 14: the date is out of range; "
        + "expected a year from -200000000 to 200000000")
  }

  @Test("refuses the document", arguments: XMLTestDocuments.refused)
  func refusesDocuments(text: String, error: String) {
    #expect(readError(text, as: .xml) == error)
  }

  @Test("refuses bytes that are not of the encoding")
  func refusesBytes() {
    #expect(
      readError(Data("<plist><string>a".utf8) + [0xE9] + Data("b</string></plist>".utf8))
        == "line 1 column 17: the bytes are not valid in the document's encoding")
    let ascii = "<?xml version=\"1.0\" encoding=\"US-ASCII\"?><plist><string>"
    #expect(readError(Data(ascii.utf8) + [0xE9] + Data("</string></plist>".utf8)) != nil)
    let utf16 =
      Data([0xFF, 0xFE]) + "<plist><string>a</string></plist>".data(using: .utf16LittleEndian)!
    #expect(readError(utf16 + [0x00, 0xD8]) != nil)
    #expect(readError(utf16 + [0x0A, 0x00]) == nil)
  }

  @Test("libxml2 prints nothing and loads nothing, and parsers run side by side")
  func parallel() async throws {
    try await withThrowingTaskGroup(of: PlistValue.self) { group in
      for index in 0..<64 {
        group.addTask {
          try read("<plist><array><integer>\(index)</integer><string>é</string></array></plist>")
            .value
        }
      }
      var sum: Int64 = 0
      for try await value in group {
        if case .integer(let number)? = value["0"] { sum += number }
      }
      #expect(sum == 2016)
    }
  }
}
