import Foundation
import PropertyList
import Testing

/// Checks the documents in Fixtures against their index.
struct FixtureTests {
  @Test("The index has a row for every file of Fixtures and a file for every row")
  func indexAndFoldersAgree() throws {
    let rows = FixtureIndex.fixtures.map { "\($0.folder)/\($0.name)" }
    #expect(Set(rows).count == rows.count, "a file has two rows")
    let files = try FixtureIndex.files()
    #expect(files.subtracting(rows).sorted() == [], "files without a row")
    #expect(Set(rows).subtracting(files).sorted() == [], "rows without a file")
  }

  @Test("The index states one error for each malformed file")
  func malformedRowsHaveAnError() {
    let wrong = FixtureIndex.malformed.filter { $0.messages.count != 1 }
    #expect(wrong.map(\.testDescription) == [])
  }

  @Test("Every fixture is small", arguments: FixtureIndex.fixtures)
  func fixtureIsSmall(fixture: Fixture) throws {
    #expect(try fixture.data().count <= 64 << 10)
  }

  // MARK: Reading

  @Test(
    "A well-formed document is detected, and read with the warnings of the index",
    arguments: FixtureIndex.wellFormed)
  func wellFormedDocumentIsRead(fixture: Fixture) throws {
    let document = try fixture.read()
    #expect(document.format == fixture.format)
    #expect(document.warnings.map(\.description) == fixture.messages)
  }

  @Test(
    "A malformed document is refused with the error of the index",
    arguments: FixtureIndex.malformed)
  func malformedDocumentIsRefused(fixture: Fixture) throws {
    let data = try fixture.data()
    let error = #expect(throws: PlistError.self) {
      try Plist.read(data, as: fixture.format)
    }
    #expect(error?.description == fixture.messages.first)
  }

  @Test(
    "Documents of the same name hold equal values in every format",
    arguments: FixtureIndex.wellFormed.filter { !$0.folder.hasSuffix("xml") })
  func sameNameSameValue(fixture: Fixture) throws {
    guard let counterpart = FixtureIndex.fixture(fixture.stem, in: "xml") else {
      #expect(WritingException.all[fixture.stem] != nil, "no XML document, and XML could hold it")
      return
    }
    #expect(try fixture.read().value == counterpart.read().value)
  }

  @Test(
    "Every XML document has a binary counterpart",
    arguments: FixtureIndex.wellFormed.filter { $0.folder == "xml" })
  func xmlHasCounterpart(fixture: Fixture) {
    #expect(FixtureIndex.fixture(fixture.stem, in: "binary") != nil)
  }

  // MARK: Writing

  @Test(
    "A value that is written and read again is the same, and so are its bytes when written again",
    arguments: FixtureIndex.wellFormed, PlistFormat.allCases)
  func valueSurvivesWriting(fixture: Fixture, format: PlistFormat) throws {
    let value = try fixture.read().value
    let exception = WritingException.exception(for: fixture, in: format)
    if let refusal = format.refusal(of: value, exception) {
      #expect(writeError(value, as: format, options: format.writeOptions) == refusal)
      return
    }

    let written = try Plist.write(value, as: format, options: format.writeOptions)
    #expect(try Plist.write(value, as: format, options: format.writeOptions) == written)
    #expect(PlistFormat(detecting: written) == format.detected(for: value))
    let again = try Plist.read(written, as: format, options: format.readOptions)
    #expect(again.warnings == [])
    if case .becomes(let stem) = exception {
      #expect(again.value != value)
      #expect(try again.value == FixtureIndex.fixture(stem, in: "xml")?.read().value)
    } else {
      #expect(again.value == value)
    }
    #expect(
      try Plist.write(again.value, as: format, options: format.writeOptions) == written)
  }

  @Test(
    "A value written in document order keeps the order of its keys",
    arguments: FixtureIndex.wellFormed, PlistFormat.allCases)
  func documentOrderIsKept(fixture: Fixture, format: PlistFormat) throws {
    let value = try fixture.read().value
    let exception = WritingException.exception(for: fixture, in: format)
    if format.refusal(of: value, exception) != nil { return }
    var options = format.writeOptions
    options.keyOrder = .document
    let written = try Plist.write(value, as: format, options: options)
    let again = try Plist.read(written, as: format, options: format.readOptions).value
    #expect(keys(of: again) == keys(of: value))
    #expect(try Plist.write(again, as: format, options: options) == written)
  }

  @Test("The table of what XML cannot hold names documents that exist")
  func exceptionsAreInTheIndex() {
    for (stem, exception) in WritingException.all {
      #expect(FixtureIndex.wellFormed.contains { $0.stem == stem }, "\(stem)")
      if case .becomes(let result) = exception {
        #expect(FixtureIndex.fixture(result, in: "xml") != nil, "\(result)")
      }
    }
  }
}

/// The result of writing a fixture's value that XML cannot represent.
private enum WritingException {
  /// The writer throws an error with this text.
  case refused(String)
  /// It is read back as the value of the XML fixture of this name.
  case becomes(String)

  /// The exception for a fixture in a format: dates also lose their fractions in OpenStep text.
  static func exception(for fixture: Fixture, in format: PlistFormat) -> WritingException? {
    switch (format, all[fixture.stem]) {
    case (.xml, let exception): exception
    case (.openStep, .becomes(let stem)?): .becomes(stem)
    default: nil
    }
  }

  /// The exceptions by the names of the fixtures without extensions.
  static let all: [String: WritingException] = [
    // Control characters are read because Foundation writes them, and never written.
    "control-characters": .refused(
      #"XML cannot represent the character U+0007 (key path bell \u{7})"#),
    "control-characters-and-entities": .refused(
      "XML cannot represent the character U+0002 (key path beside)"),
    "control-characters-of-hundreds": .refused(
      "XML cannot represent the character U+0001 (key path 0)"),
    "nul-characters": .refused("XML cannot represent the character U+0000 (key path key)"),
    "noncharacters": .refused("XML cannot represent the character U+FFFE (key path key)"),
    // Dates in XML have whole seconds, rounded down, and years whose seconds a double holds.
    "date-fractions": .becomes("date-fractions-rounded"),
    "date-beyond-xml": .refused(
      "the date is out of range; expected a year from -200000000 to 200000000 (key path 0)"),
    "date-infinite": .refused(
      "the date is out of range; expected a year from -200000000 to 200000000 (key path 0)"),
    // XML has no such elements.
    "null-objects": .refused("XML cannot represent null (key path 0)"),
    "set-objects": .refused("XML cannot represent sets (key path empty)"),
    "uid-dictionary": .refused(
      "a dictionary whose only key is CF$UID would be read back as a UID (key path object)"),
  ]
}

extension PlistFormat {
  /// The error of writing a fixture's value; nil if there is none.
  fileprivate func refusal(of value: PlistValue, _ exception: WritingException?) -> String? {
    switch (self, exception) {
    case (.xml, .refused(let text)?): text
    case (.xml, _), (.binary, _): nil
    default: refusal(of: value)
    }
  }
}
