import Testing

@testable import Manifests

@Suite("A pattern")
struct PatternTests {
  /// A pattern with texts that it matches as a whole, and texts that it does not.
  struct Row: Sendable, CustomTestStringConvertible {
    let pattern: String
    let matching: [String]
    let others: [String]

    init(_ pattern: String, _ matching: [String], not others: [String]) {
      (self.pattern, self.matching, self.others) = (pattern, matching, others)
    }

    var testDescription: String { pattern }
  }

  static let rows = [
    Row("", [""], not: ["a"]),
    Row("abc", ["abc"], not: ["ab", "abcd", "xabc", ""]),
    Row("a|bc|", ["a", "bc", ""], not: ["b", "abc"]),
    Row("(a|b)(c|d)", ["ac", "bd"], not: ["ab", "c"]),
    Row("(?:a|b)*c", ["c", "abbac"], not: ["ab", "ca"]),
    Row("(?<word>a)b(?P<other>c)", ["abc"], not: ["ab"]),
    Row("a(?#remark)b", ["ab"], not: ["a"]),
    Row("a.c", ["abc", "aéc", "a\u{1F600}c"], not: ["a\nc", "ac", "a\u{2028}c"]),
    Row("(?s)a.c", ["a\nc"], not: ["ac"]),
    Row("a*b+c?", ["b", "aabbc"], not: ["a", "bcc"]),
    Row("a*?b+?c??", ["b", "aabbc"], not: ["a", "bcc"]),
    Row("a{2}", ["aa"], not: ["a", "aaa"]),
    Row("a{2,}", ["aa", "aaaa"], not: ["a"]),
    Row("a{2,3}", ["aa", "aaa"], not: ["a", "aaaa"]),
    Row("(ab){0,2}?", ["", "ab", "abab"], not: ["ababab"]),
    Row("a{x}{", ["a{x}{"], not: ["a"]),
    Row("(a*)*(|b)+", ["", "aab"], not: ["c"]),
    Row("^a$|^b", ["a", "b"], not: ["ab", "a\n"]),
    Row(#"\Aa\z|b\Z"#, ["a", "b"], not: ["ab"]),
    Row("a^b", [], not: ["ab", "a\nb"]),
    Row("(?m)a\n^b", ["a\nb"], not: ["ab"]),
    Row("(?m)a$\nb", ["a\nb"], not: ["ab"]),
    Row(#"a\b.\bb"#, ["a b", "a-b"], not: ["a_b", "aab"]),
    Row(#"a\Bb"#, ["ab"], not: ["a b"]),
    Row("[abc]", ["a", "c"], not: ["d", "ab", ""]),
    Row("[^abc]", ["d", "\n", "é"], not: ["a"]),
    Row("[a-cx-z]", ["b", "y"], not: ["d", "-"]),
    Row("[-a]|[b-]", ["-", "a", "b"], not: ["c"]),
    Row("[]a]", ["]", "a"], not: ["[", "]a"]),
    Row("[^]a]", ["b"], not: ["]", "a"]),
    Row(#"[\]\-\\a-]"#, ["]", "-", "\\", "a"], not: ["b"]),
    Row(#"[\d\s]"#, ["5", " ", "\u{0665}"], not: ["a"]),
    Row(#"[\w-]+"#, ["a-b_c", "é"], not: ["a b"]),
    Row("[a-c[x-z]]", ["b", "y"], not: ["m"]),
    Row("[[:alpha:]_]+", ["aé_"], not: ["a1"]),
    Row("[[:^digit:]]", ["a"], not: ["1"]),
    Row(#"[\b]"#, ["\u{8}"], not: ["b"]),
    Row(#"\d+\D\w\W\s\S"#, ["12ab-\tx"], not: ["12ab- "]),
    Row(#"\h\v\H"#, ["\t\nx"], not: ["\n\tx"]),
    Row(#"\t\n\r\f\e\x41\x{1F600}\u00e9\."#, ["\t\n\r\u{C}\u{1B}A\u{1F600}é."], not: ["."]),
    Row(#"\p{Lu}\p{L}\P{Lu}\pN"#, ["ABc1"], not: ["aBc1", "ABC1"]),
    Row(#"\Qa.b*\E+"#, ["a.b*", "a.b***"], not: ["axb*"]),
    Row("(?i)straße", ["STRAßE", "straße"], not: ["strasse"]),
    Row("(?i:a)b", ["Ab", "ab"], not: ["aB"]),
    Row("((?i)a)b|c(?-i)", ["Ab", "c"], not: ["aB"]),
    Row("(?i)[a-c]É", ["Bé"], not: ["dé"]),
    Row(
      "^([0-9a-fA-F]{8}-([0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12})$",
      ["0F4D2C31-9a1B-4c55-8D7e-00aa11bb22cc"], not: ["0F4D2C31-9a1B-4c55-8D7e-00aa11bb22c"]),
  ]

  @Test("matches whole texts", arguments: rows)
  func match(row: Row) throws {
    let pattern = try Pattern(row.pattern)
    for text in row.matching { #expect(outcome(pattern, text) == .matches, "\(text)") }
    for text in row.others { #expect(outcome(pattern, text) == .differs, "\(text)") }
  }

  private func outcome(_ pattern: Pattern, _ text: String) -> Pattern.Outcome {
    var steps = 1_000_000
    return pattern.match(text, steps: &steps)
  }

  @Test("matches ASCII texts in the same way without a table", arguments: rows)
  func follow(row: Row) throws {
    let pattern = try Pattern(row.pattern)
    for (texts, outcome) in [(row.matching, Pattern.Outcome.matches), (row.others, .differs)] {
      for text in texts {
        var steps = 1_000_000
        #expect(pattern.follow(Array(text.unicodeScalars), &steps) == outcome, "\(text)")
      }
    }
  }

  static let malformed: [(String, String)] = [
    ("(", "( is never closed"), (")", ") has no ("), ("a)", ") has no ("),
    ("(?:a", "( is never closed"),
    ("(?#a", "( is never closed"), ("(?i", "( is never closed"), ("[", "[ is never closed"),
    ("[]", "[ is never closed"), ("[a", "[ is never closed"), ("[[:alpha:", "[: is never closed"),
    ("*a", "nothing to repeat before *"), ("a|+", "nothing to repeat before +"),
    ("(?<a b>c)", "a group's name is malformed"), ("\\", #"\ is the last character"#),
    ("[b-a]", "a range in brackets ends before it begins"),
    ("a{3,2}", "{m,n} has a maximum below its minimum"),
    (#"\x4"#, "a character's code is malformed"),
    (#"\ud800"#, "a character's code is malformed"),
    (#"\x{110000}"#, "a character's code is malformed"),
  ]

  @Test("is refused if it is malformed", arguments: malformed)
  func refuse(text: String, reason: String) {
    #expect(throws: PatternError.malformed(reason)) { try Pattern(text) }
  }

  static let unsupported: [(String, String)] = [
    ("(?=a)", "look-around"), ("(?!a)", "look-around"), ("(?<=a)", "look-around"),
    ("(?<!a)", "look-around"), (#"(a)\1"#, "back-references"),
    (#"(?<n>a)\k<n>"#, "back-references"),
    ("(?>a)", "atomic groups"), ("a++", "possessive quantifiers"), ("(?x)a", "(?x"),
    ("(?\ta)", #"(?\u{9}"#),
    ("[a-z&&[^b]]", "operations on sets in brackets"),
    ("[[a-z]--[b]]", "operations on sets in brackets"),
    (#"\p{Greek}"#, "an unknown property"), ("[[:greek:]]", "an unknown class in brackets"),
    (#"\G"#, #"\G"#), ("a{,3}", "{,n}"), ("a{1,99999}", "repetitions of this size"),
    ("a{99999999999999999999}", "repetitions of this size"),
    ("(((a{99}){99}){99}){99}", "repetitions of this size"),
    ("(((){999}){999}){999}", "repetitions of this size"),
    (
      String(repeating: "(", count: 200) + String(repeating: ")", count: 200),
      "deeply nested groups"
    ),
    ("a" + String(repeating: "*", count: 200), "many quantifiers in a row"),
    (
      String(repeating: "[", count: 200) + "a" + String(repeating: "]", count: 200),
      "deeply nested brackets"
    ),
    (String(repeating: "a", count: 10_001), "more than 10000 characters"),
  ]

  @Test("is not matched if it cannot be", arguments: unsupported)
  func decline(text: String, reason: String) {
    #expect(throws: PatternError.unsupported(reason)) { try Pattern(text) }
  }

  @Test(
    "takes linear time where others take exponential time",
    arguments: ["(a+)+$", "(a*)*b", "(a|aa)+c", "(a|a?)+d", "((a*)*)*e", "(.*)(.*)(.*)(.*)f"])
  func linear(text: String) throws {
    let pattern = try Pattern(text)
    func steps(_ count: Int) -> Int {
      var steps = 10_000_000
      #expect(pattern.match(String(repeating: "a", count: count) + "!", steps: &steps) == .differs)
      return 10_000_000 - steps
    }
    #expect(steps(20_000) <= 2 * steps(10_000) + 100)
  }

  @Test("stops when its steps run out")
  func stop() throws {
    let pattern = try Pattern("(a?){500}a{500}")
    var steps = 100_000
    #expect(pattern.match(String(repeating: "a", count: 100_000), steps: &steps) == .unknown)
    #expect(pattern.match("a", steps: &steps) == .unknown)
  }
}
