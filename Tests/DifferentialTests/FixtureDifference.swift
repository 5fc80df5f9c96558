/// A difference between the XML of the toolchain's plutil and ours.
enum FixtureDifference {
  /// It writes up to 17 digits of reals, we the fewest that read back.
  case digits
  /// It writes -0.0 without the sign.
  case negativeZeros
  /// It writes bare carriage returns, which other XML readers turn into line feeds, we `&#13;`.
  case carriageReturns
  /// It writes another text; the reason is beside the row.
  case text(ours: String, theirs: String)
}

extension FixtureDifference {
  /// The differences by the fixtures' paths.
  static let all: [String: [FixtureDifference]] = [
    "binary/carriage-returns.plist": [.carriageReturns],
    "binary/cdata-and-references.plist": [.carriageReturns],
    "binary/duplicate-keys.plist": firstOfDuplicateKeys,
    "binary/empty-key-twice.plist": [.text(ours: ">second<", theirs: ">first<")],
    "binary/float32.plist": [.digits, .negativeZeros],
    // It drops the upper eight bytes of sixteen.
    "binary/integer-16-bytes.plist": [
      .text(ours: ">-1<", theirs: ">18446744073709551615<"),
      .text(ours: ">-9223372036854775808<", theirs: ">9223372036854775808<"),
    ],
    "binary/key-normal-forms.plist": oneOfEquivalentKeys,
    // Foundation reads strings that are wrongly marked as ASCII as ISO-8859-1 always.
    "binary/marked-ascii.utf-8.plist": [
      .text(ours: "é", theirs: "Ã©"), .text(ours: "ï", theirs: "Ã¯"),
    ],
    "binary/preferences.plist": [.digits],
    "binary/real-extremes.plist": [.digits, .negativeZeros],
    "binary/underflow.plist": [.digits, .negativeZeros],
    "xml/float32.plist": [.digits, .negativeZeros],
    "xml/key-normal-forms.plist": oneOfEquivalentKeys,
    // It reads second 60 as the first second of the next minute.
    "xml/leap-second.plist": [
      .text(ours: "2016-12-31T23:59:59Z", theirs: "2017-01-01T00:00:00Z"),
      .text(ours: "2024-06-30T12:00:59Z", theirs: "2024-06-30T12:01:00Z"),
    ],
    "xml/preferences.plist": [.digits],
    "xml/real-extremes.plist": [.digits, .negativeZeros],
    "xml/underflow.plist": [.digits, .negativeZeros],
  ]

  /// In binary it uses the first of equal keys, and we use the last; in XML both use the last.
  private static let firstOfDuplicateKeys: [FixtureDifference] = [
    .text(ours: "<false/>", theirs: "<true/>"),
    .text(ours: "<integer>2</integer>", theirs: "<integer>1</integer>"),
    .text(ours: "<array/>", theirs: "<string>first</string>"),
  ]

  /// Of canonically equivalent keys it keeps one, with the value of another.
  private static let oneOfEquivalentKeys: [FixtureDifference] = [
    .text(
      ours: """
        \t<string>A and a combining ring</string>
        \t<key>e\u{301}</key>
        \t<string>e and a combining accent</string>
        \t<key>\u{C5}</key>

        """, theirs: ""),
    .text(ours: "one code point", theirs: "e and a combining accent"),
    .text(
      ours: """
        \t<key>\u{1100}\u{1161}</key>
        \t<integer>2</integer>
        \t<key>\u{212B}</key>
        \t<string>the angstrom sign</string>

        """, theirs: ""),
    .text(ours: "<integer>1</integer>", theirs: "<integer>2</integer>"),
  ]

  /// What the toolchain's plutil says of the well-formed fixtures that it does not convert to XML.
  static let refusedByPlutil: [String: String] = [
    // UIDs. It takes every dictionary with CF$UID as its only key for one, whatever the value is.
    "binary/keyed-archive.plist": notStringKeys,
    "binary/root-uid.plist": notStringKeys,
    "binary/uid-extremes.plist": notStringKeys,
    "binary/uid-sizes.plist": notStringKeys,
    "xml/keyed-archive.plist": notStringKeys,
    "xml/root-uid.plist": notStringKeys,
    "xml/uid-extremes.plist": notStringKeys,
    "xml/uid-look-alikes.plist": notStringKeys,
    "xml/uid-sizes.plist": notStringKeys,
    "binary/null-objects.plist": notStringKeys,
    "binary/set-objects.plist": "signal 11",
    "binary/objects-256-references-1-byte.plist": "Unexpected character b at line 1",
    // Spellings of numbers and data, and references in them.
    "xml/carriage-returns.plist": "Unknown character '\r' (0xd) in <integer> on line 29",
    "xml/cdata-and-references.plist": "Unknown character '&' (0x26) in <integer> on line 18",
    "xml/empty-values.plist": "Encountered empty <data> on line 12",
    "xml/integer-spellings.plist": "Unknown character ' ' (0x20) in <integer> on line 24",
    "xml/real-spellings.plist": "Encountered misformatted real on line 6",
    // UTF-16 without a byte-order mark.
    "xml/encoding-utf-16-be-declared.plist": "Unexpected character",
    "xml/encoding-utf-16-le-declared.plist": "Unexpected character",
  ]

  private static let notStringKeys = "Dictionaries are required to have string keys"

  /// The fixtures that we do not write as XML.
  static let refusedByUs: Set<String> = [
    // XML has no such characters.
    "xml/control-characters.plist", "xml/control-characters-and-entities.plist",
    "xml/control-characters-of-hundreds.plist",
    "binary/control-characters.plist", "binary/control-characters-and-entities.plist",
    "binary/control-characters-of-hundreds.plist",
    "binary/noncharacters.plist", "binary/nul-characters.plist",
    // It writes 2030437302-06-07T24:60:-2147483648Z and a year that no double holds to the second.
    "binary/date-infinite.plist", "binary/date-beyond-xml.plist",
    // XML has no such elements, and it fails itself.
    "binary/null-objects.plist", "binary/set-objects.plist",
    // It writes a dictionary that it takes for a UID when it reads it again.
    "binary/uid-dictionary.plist",
  ]
}
