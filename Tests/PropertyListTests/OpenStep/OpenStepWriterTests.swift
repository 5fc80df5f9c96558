import FoundationEssentials
import Testing

@testable import PropertyList

@Suite("OpenStep text and strings tables are written")
struct OpenStepWriterTests {
  private func text(
    _ value: PlistValue, options: PlistWriteOptions = PlistWriteOptions()
  ) throws -> String {
    String(decoding: try Plist.write(value, as: .openStep, options: options), as: UTF8.self)
  }

  private static let date = Date(timeIntervalSinceReferenceDate: 725_760_000)

  @Test("Containers are laid out with a tab a level and sorted keys")
  func layout() throws {
    let value: PlistValue = [
      "s": "x y", "a": ["b": ["1", ["x": "2"], ["y", "z"]]], "empty": [[:], []],
      "data": .data(Data(0x0A...0x14)),
    ]
    #expect(
      try text(value) == """
        {
        \ta = {
        \t\tb = (
        \t\t\t1,
        \t\t\t{
        \t\t\t\tx = 2;
        \t\t\t},
        \t\t\t(
        \t\t\t\ty,
        \t\t\t\tz
        \t\t\t)
        \t\t);
        \t};
        \tdata = <0a0b0c0d 0e0f1011 121314>;
        \tempty = (
        \t\t{},
        \t\t()
        \t);
        \ts = "x y";
        }

        """)
    #expect(try read(text(value), as: .openStep).value == value)
  }

  @Test(
    "Every kind of value that it has may be the root",
    arguments: [
      ([:], "{}\n"), ([], "()\n"), ("", "\"\"\n"), ("word", "\"word\"\n"),
      (.data(Data()), "<>\n"), (.data(Data([0x0F, 0xBD])), "<0fbd>\n"),
    ] as [(PlistValue, String)])
  func roots(value: PlistValue, expected: String) throws {
    #expect(try text(value) == expected)
    let document = try read(expected, as: .openStep)
    #expect(document.value == value)
    #expect(document.warnings == [])
  }

  @Test(
    "Strings are in quotes where they need them",
    arguments: [
      ("aZ09_$/:.-", "aZ09_$/:.-"), ("/", "/"), ("a/b/c", "a/b/c"), ("", "\"\""),
      ("a b", "\"a b\""), ("+1", "\"+1\""), ("//a", "\"//a\""), ("a//b", "\"a//b\""),
      ("/*", "\"/*\""), ("a;", "\"a;\""), ("'", "\"'\""),
      ("\"\\\u{7}\u{8}\t\n\u{B}\u{C}\r", #""\"\\\a\b\t\n\v\f\r""#),
      ("\0\u{1}\u{1F}\u{7F}", #""\000\001\037\177""#),
      ("é日😀\u{FEFF}", #""\U00e9\U65e5\Ud83d\Ude00\Ufeff""#),
      ("a long piece, é, a long piece", #""a long piece, \U00e9, a long piece""#),
    ])
  func strings(string: String, expected: String) throws {
    #expect(try text([.string(string)]) == "(\n\t\(expected)\n)\n")
    let dictionary: PlistValue = [string: .string(string)]
    #expect(try text(dictionary) == "{\n\t\(expected) = \(expected);\n}\n")
    #expect(try read(text(dictionary), as: .openStep).value == dictionary)
  }

  // MARK: Types

  private static let values: [(PlistValue, refused: String, text: String, typed: String)] = [
    (5, "integers", "5", "<*I5>"),
    (.integer(.min), "integers", "-9223372036854775808", "<*I-9223372036854775808>"),
    (.unsignedInteger(.max), "integers", "18446744073709551615", "<*I18446744073709551615>"),
    (1.5, "reals", "1.5", "<*R1.5>"), (42.0, "reals", "42", "<*R42>"),
    (.float(0.5), "reals", "0.5", "<*R0.5>"), (.real(.nan), "reals", "nan", "<*Rnan>"),
    (.real(-.infinity), "reals", "-infinity", "<*R-infinity>"),
    (.real(1e22), "reals", "\"1e+22\"", "<*R1e+22>"),
    (true, "booleans", "1", "<*BY>"), (false, "booleans", "0", "<*BN>"),
    (.date(date), "dates", "\"2024-01-01 00:00:00 +0000\"", "<*D2024-01-01 00:00:00 +0000>"),
  ]

  @Test("Values without a type in OpenStep text are refused with their key path", arguments: values)
  func refusals(value: PlistValue, refused: String, _: String, _: String) {
    #expect(
      writeError(["a": ["b", value]], as: .openStep)
        == "OpenStep text cannot represent \(refused) (key path a.1)")
  }

  @Test("They are strings under the lossy option", arguments: values)
  func lossy(value: PlistValue, _: String, expected: String, _: String) throws {
    let options = PlistWriteOptions.with { $0.allowsLossyConversion = true }
    #expect(try text([value], options: options) == "(\n\t\(expected)\n)\n")
  }

  @Test("They keep their types as GNUstep's typed values, lossy or not", arguments: values)
  func typed(value: PlistValue, _: String, _: String, expected: String) throws {
    var options = PlistWriteOptions()
    var readOptions = PlistReadOptions()
    options.writesTypedValues = true
    readOptions.allowsTypedValues = true
    for lossy in [false, true] {
      options.allowsLossyConversion = lossy
      #expect(try text(value, options: options) == expected + "\n")
    }
    let document = try read(expected, as: .openStep, options: readOptions)
    #expect(document.value == value)
    #expect(document.value.kind == value.kind)
  }

  @Test(
    "UIDs, sets and null are refused under every option",
    arguments: [true, false], [.uid(1), .set([]), .null] as [PlistValue])
  func alwaysRefused(writesTypedValues: Bool, value: PlistValue) {
    var options = PlistWriteOptions()
    options.allowsLossyConversion = true
    options.writesTypedValues = writesTypedValues
    #expect(
      writeError([value], as: .openStep, options: options)
        == "OpenStep text cannot represent \(value.kind.plural) (key path 0)")
  }

  @Test("A date that is NaN is refused under every option", arguments: [true, false])
  func dateNaN(writesTypedValues: Bool) {
    var options = PlistWriteOptions()
    options.allowsLossyConversion = true
    options.writesTypedValues = writesTypedValues
    #expect(
      writeError(
        [.time(.nan)], as: .openStep, options: options)
        == "the date is NaN; expected a point in time (key path 0)")
  }

  @Test("Fractions of seconds are cut off, or refused as inexact")
  func fractions() throws {
    var options = PlistWriteOptions.with { $0.writesTypedValues = true }
    let value: PlistValue = [.date(Self.date - 0.25)]
    #expect(try text(value, options: options) == "(\n\t<*D2023-12-31 23:59:59 +0000>\n)\n")
    options.rejectsFractionalSeconds = true
    #expect(
      writeError(value, as: .openStep, options: options)
        == "OpenStep text cannot represent fractions of a second (key path 0)")
  }

  // MARK: Tables

  private static var table: PlistWriteOptions {
    let options = PlistWriteOptions.with { $0.writesStringsTable = true }
    return options
  }

  @Test("A strings table is a dictionary without braces, all of it in quotes and readable")
  func table() throws {
    let value: PlistValue = [
      "Open…": "Öffnen…", "ok": "OK", "q\"": "a\nb\t\u{1}😀",
      "list": ["a", ["b": .data(Data([1]))]],
    ]
    let expected = """
      "Open…" = "Öffnen…";
      "list" = (
      \t"a",
      \t{
      \t\t"b" = <01>;
      \t}
      );
      "ok" = "OK";
      "q\\"" = "a\\nb\\t\\001😀";

      """
    #expect(try text(value, options: Self.table) == expected)
    let document = try Plist.read(Data(expected.utf8))
    #expect(document.format == .openStep)
    #expect(document.value == value)
  }

  @Test("A table without entries is a comment, which is read as one")
  func emptyTable() throws {
    #expect(try text([:], options: Self.table) == "/* no entries */\n")
    #expect(try Plist.read(Data("/* no entries */\n".utf8)).value == [:])
  }

  @Test(
    "A table has a dictionary as its root",
    arguments: [
      ([], "an array"), (.set([]), "a set"), ("a", "a string"), (.null, "null"),
    ] as [(PlistValue, String)])
  func tableRoot(value: PlistValue, found: String) {
    #expect(
      writeError(value, as: .openStep, options: Self.table)
        == "expected a dictionary as the root of a strings table, found \(found)")
  }

  @Test("A table counts as a level")
  func tableDepth() throws {
    var options = Self.table
    options.limits.maximumDepth = 1
    #expect(writeError(["a": "b"], as: .openStep, options: options) == nil)
    #expect(
      writeError(["a": []], as: .openStep, options: options)
        == "containers are nested deeper than 1 levels (key path a)")
  }
}
