import FoundationEssentials
import PropertyList
import Testing

@testable import Preferences

@Suite("The argument domain")
struct ArgumentDomainTests {
  private func parse(
    _ arguments: [String], allowNegativeNumbers: Bool = false, ignoreDoubleDashes: Bool = false,
    acceptsLongOptions: Bool = false
  ) -> PlistDictionary {
    var options = ArgumentOptions()
    options.acceptsLongOptions = acceptsLongOptions
    options.allowNegativeNumbers = allowNegativeNumbers
    options.ignoreDoubleDashes = ignoreDoubleDashes
    return ArgumentDomain.parse(["/usr/bin/program"] + arguments, options: options)
  }

  @Test(
    "A key is an argument with a dash, followed by its value",
    arguments: [
      ([], [:]),
      (["-a", "1"], ["a": "1"]),
      (["-a", "1", "-b"], ["a": "1"]),
      (["-b"], [:]),
      (["-a", "-b", "c"], ["b": "c"]),
      (["-a", "-b", "-c"], [:]),
      (["x", "-a", "1", "y", "-b", "2", "z"], ["a": "1", "b": "2"]),
      (["-a", "1", "2", "-b", "3"], ["a": "1", "b": "3"]),
      (["-a", ""], ["a": ""]),
      (["", "-a", "1"], ["a": "1"]),
      (["-a=1", "-b", "2"], ["b": "2"]),
      (["-1", "x"], ["1": "x"]),
    ] as [([String], PlistDictionary)])
  func pairs(arguments: [String], domain: PlistDictionary) {
    #expect(parse(arguments) == domain)
  }

  @Test(
    "The first argument is the program",
    arguments: [[], ["-a"], ["-a", "1"], ["-a", "1", "2"], ["--", "1"]])
  func program(arguments: [String]) {
    #expect(ArgumentDomain.parse(arguments) == [:])
    #expect(ArgumentDomain.parse(["-a", "-b", "1"]) == ["b": "1"])
    #expect(ArgumentDomain.parse(["--", "-b", "1"]) == ["b": "1"])
  }

  @Test(
    "By option, two dashes before a key are the same as one, and its value may follow a sign",
    arguments: [
      (["--a", "1"], ["a": "1"]),
      (["--a=1"], ["a": "1"]),
      (["-a", "1", "--b=2", "--c", "3"], ["a": "1", "b": "2", "c": "3"]),
      (["--a=1", "--a", "2", "-a", "3"], ["a": "3"]),
      (["--a=1=2"], ["a": "1=2"]),
      (["--a="], ["a": ""]),
      (["--=1", "x"], [:]),
      (["--verbose", "--a=1"], ["a": "1"]),
      (["--verbose", "-a", "1"], ["a": "1"]),
      (["--a", "--b=1", "2"], ["b": "1"]),
      (["--list=(x, y)"], ["list": ["x", "y"]]),
      (["--é=1"], ["é": "1"]),
      (["-a=1", "-b", "2"], ["b": "2"]),
      (["--a", "-"], ["a": "-"]),
      (["--a=1", "--", "--b=2"], ["a": "1"]),
    ] as [([String], PlistDictionary)])
  func longOptions(arguments: [String], domain: PlistDictionary) {
    #expect(parse(arguments, acceptsLongOptions: true) == domain)
    #expect(parse(arguments, ignoreDoubleDashes: true, acceptsLongOptions: true) == domain)
  }

  @Test("A negative number is a value of a long option, by option")
  func negativeNumbers() {
    let arguments = ["--a", "-1", "--b=-2"]
    #expect(parse(arguments, acceptsLongOptions: true) == ["b": "-2"])
    #expect(
      parse(arguments, allowNegativeNumbers: true, acceptsLongOptions: true)
        == ["a": "-1", "b": "-2"])
  }

  @Test(
    "Two dashes end the pairs",
    arguments: [
      (["--", "x"], [:]),
      (["--", "-a", "1"], [:]),
      (["-x", "1", "--", "-y", "2"], ["x": "1"]),
      (["-a", "--", "1"], [:]),
    ] as [([String], PlistDictionary)])
  func end(arguments: [String], domain: PlistDictionary) {
    #expect(parse(arguments) == domain)
    #expect(parse(arguments, allowNegativeNumbers: true, ignoreDoubleDashes: true) == domain)
  }

  @Test(
    "A lone dash is a value, not a key",
    arguments: [
      (["-", "x"], [:]),
      (["-a", "-"], ["a": "-"]),
      (["-a", "-", "-b", "2"], ["a": "-", "b": "2"]),
      (["-", "-a", "1"], ["a": "1"]),
    ] as [([String], PlistDictionary)])
  func loneDash(arguments: [String], domain: PlistDictionary) {
    #expect(parse(arguments) == domain)
    #expect(parse(arguments, allowNegativeNumbers: true, ignoreDoubleDashes: true) == domain)
  }

  @Test(
    "A key with two dashes keeps one, or is ignored with its value by option",
    arguments: [
      (["--a", "1"], ["-a": "1"], [:]),
      (["---", "1"], ["--": "1"], [:]),
      (["--a", "1", "-b", "2"], ["-a": "1", "b": "2"], ["b": "2"]),
      (["-a", "--b", "c"], ["-b": "c"], [:]),
      (["--a=1", "-b", "2"], ["b": "2"], ["b": "2"]),
    ] as [([String], PlistDictionary, PlistDictionary)])
  func doubleDashes(arguments: [String], kept: PlistDictionary, ignored: PlistDictionary) {
    #expect(parse(arguments) == kept)
    #expect(parse(arguments, ignoreDoubleDashes: true) == ignored)
  }

  @Test(
    "A negative number is a key, or a value by option",
    arguments: [
      (["-n", "-1"], [:], ["n": "-1"]),
      (["-n", "-1", "x"], ["1": "x"], ["n": "-1"]),
      (["-1", "x"], ["1": "x"], [:]),
      (["-n", "-2.5e3", "-m", "-.5"], [:], ["n": "-2.5e3", "m": "-.5"]),
      (["-n", "-1", "-m", "2"], ["m": "2"], ["n": "-1", "m": "2"]),
      (["-n", "-1x", "2"], ["1x": "2"], ["1x": "2"]),
      (["-n", "-0x1", "2"], ["0x1": "2"], ["0x1": "2"]),
      (["-n", "-1e", "2"], ["1e": "2"], ["1e": "2"]),
      (["-n", "-inf", "2"], ["inf": "2"], ["inf": "2"]),
      (["-n", "--1", "2"], ["-1": "2"], ["-1": "2"]),
      (["-n", "-٣", "2"], ["٣": "2"], ["٣": "2"]),
    ] as [([String], PlistDictionary, PlistDictionary)])
  func negativeNumbers(arguments: [String], keys: PlistDictionary, values: PlistDictionary) {
    #expect(parse(arguments) == keys)
    #expect(parse(arguments, allowNegativeNumbers: true) == values)
  }

  @Test(
    "A value that begins like a property list is parsed as one",
    arguments: [
      ("{a=b;}", ["a": "b"]),
      ("{}", [:]),
      ("(1,2)", ["1", "2"]),
      ("()", []),
      ("<0102>", .data(Data([1, 2]))),
      ("<true/>", true),
      ("<integer>5</integer>", 5),
      ("<array><real>1.5</real></array>", [1.5]),
      (
        "<?xml version=\"1.0\"?><plist version=\"1.0\"><dict><key>k</key><string>é</string></dict>"
          + "</plist>", ["k": "é"]
      ),
      ("\"q\"", "q"),
      ("\"a\" = b;", ["a": "b"]),
      ("{a=(<00>,{b=\"c d\";});}", ["a": [.data(Data([0])), ["b": "c d"]]]),
    ] as [(String, PlistValue)])
  func propertyLists(argument: String, value: PlistValue) {
    #expect(parse(["-k", argument]) == ["k": value])
  }

  @Test(
    "A value that is not a property list is a string",
    arguments: [
      "{a", "{a=b}", "(", "(1,2", "<", "<x", "<0>", "<true>", "\"q", "\"q\" x", "{a=b;} x",
      // JSON, which is text in an argument domain.
      "[", "[1,2]",
      // A property list, but not by its first character.
      "5", "YES", "a=b;", "'q'", " {a=b;}", "bplist00", "// x", "",
      // The bracket has an accent.
      "{\u{301}}", "(\u{301})", "<*I5>",
    ])
  func strings(argument: String) {
    #expect(parse(["-k", argument]) == ["k": .string(argument)])
  }

  @Test("The last value of a repeated key counts")
  func repeatedKeys() {
    let domain = parse(["-a", "1", "-b", "2", "-a", "3", "-a"])
    #expect(domain == ["a": "3", "b": "2"])
    #expect(Array(domain.keys) == ["a", "b"])
  }

  @Test("Keys are split and compared by their scalars")
  func keyBytes() {
    let domain = parse(["-é", "1", "-e\u{301}", "2", "-\u{301}x", "3", "-日本 😀", "4"])
    #expect(domain.map(\.key.utf8.count) == [2, 3, 3, 11])
    #expect(domain.map(\.value) == ["1", "2", "3", "4"])
  }

  @Test("A value of the maximum depth can still be written", .timeLimit(.minutes(1)))
  func depth() {
    func nested(_ depth: Int) -> String {
      String(repeating: "(", count: depth) + String(repeating: ")", count: depth)
    }
    let domain = parse(["-k", nested(511), "-l", nested(512), "-m", nested(1_000_000)])
    #expect(domain["k"]?.kind == .array)
    #expect(domain["l"]?.kind == .string)
    #expect(domain["m"]?.kind == .string)
    #expect(throws: Never.self) { try Plist.write(.dictionary(domain), as: .binary) }
  }

  @Test("A hundred thousand pairs are parsed in linear time", .timeLimit(.minutes(1)))
  func manyArguments() {
    let arguments = (0..<100_000).reversed().flatMap { ["-k\($0)", "\($0)"] }
    #expect(parse(arguments).count == 100_000)
    #expect(parse(arguments)["k5"] == "5")
    #expect(parse(Array(repeating: "-k", count: 1_000_000)) == [:])
    #expect(parse([String(repeating: "-", count: 1_000_000), "x"]).count == 1)
  }
}
