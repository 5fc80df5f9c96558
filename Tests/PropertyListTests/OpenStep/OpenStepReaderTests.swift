import FoundationEssentials
import Testing

@testable import PropertyList

@Suite("OpenStep text is read")
struct OpenStepReaderTests {
  @Test(
    "Containers nest, and arrays may end with a comma",
    arguments: [
      ("{}", [:]),
      ("()", []),
      ("{ a = b; }", ["a": "b"]),
      ("{a=b;c=d;}", ["a": "b", "c": "d"]),
      ("(a)", ["a"]),
      ("(a, b)", ["a", "b"]),
      ("(a, b,)", ["a", "b"]),
      ("({}, (), {a = (b, {c = d;},);})", [[:], [], ["a": ["b", ["c": "d"]]]]),
      (" \t\r\n\u{0B}\u{0C}\u{2028}\u{2029}(a)\u{2028} \n", ["a"]),
    ] as [(String, PlistValue)])
  func containers(text: String, value: PlistValue) throws {
    let document = try read(text, as: .openStep)
    #expect(document.value == value)
    #expect(document.warnings == [])
  }

  @Test(
    "Data is pairs of hexadecimal digits with white space anywhere",
    arguments: [
      ("<>", []), ("< \n >", []), ("<0fbd 77>", [0x0F, 0xBD, 0x77]), ("<AbCd>", [0xAB, 0xCD]),
      ("<\t0f\r\nbd 77 >", [0x0F, 0xBD, 0x77]), ("<0 f b d>", [0x0F, 0xBD]),
    ] as [(String, [UInt8])])
  func data(text: String, bytes: [UInt8]) throws {
    #expect(try read(text, as: .openStep).value == .data(Data(bytes)))
  }

  @Test(
    "A string without quotes may hold letters, digits and _$/:.+-",
    arguments: [
      "a", "Z9", "_$/:.+-", "5", "-5", "1.5e+10", "/usr/lib", "http://example.com/a", "a/", "/",
      "a//b",
    ])
  func words(word: String) throws {
    #expect(try read("(\(word))", as: .openStep).value == [.string(word)])
    #expect(try read("{\(word) = \(word);}", as: .openStep).value == [word: .string(word)])
  }

  @Test(
    "A string in quotes may hold any character",
    arguments: [
      (#""""#, ""), ("''", ""), (#""a b""#, "a b"), ("'a b'", "a b"), (#""it's""#, "it's"),
      (#"'say "hi"'"#, #"say "hi""#), (#""{(<=;,>)} // /* */""#, "{(<=;,>)} // /* */"),
      ("\"two\nlines\"", "two\nlines"), ("\"\u{0}\u{1}\u{7F}\"", "\u{0}\u{1}\u{7F}"),
      ("\"é日本😀\"", "é日本😀"),
    ])
  func quotedStrings(text: String, string: String) throws {
    let document = try read(text, as: .openStep)
    #expect(document.value == .string(string))
    #expect(document.warnings == [])
  }

  @Test(
    "A backslash escapes a character or spells one",
    arguments: [
      (#"\a\b\f\n\r\t\v"#, "\u{07}\u{08}\u{0C}\n\r\t\u{0B}"),
      (#"\\ \" \'"#, #"\ " '"#),
      ("a\\\nb", "a\nb"),
      (#"\q\u\{\é\ "#, "qu{é "),
      (#"\U00e9"#, "é"), (#"\U00E9"#, "é"), (#"\Ue9"#, "é"), (#"\Ue9g"#, "ég"), (#"\U9g"#, "\tg"),
      (#"\U00e99"#, "é9"), (#"\Ud83d\Ude00"#, "😀"), (#"x\UD83D\UDE00y"#, "x😀y"), (#"\U0"#, "\0"),
      (#"\Uffff"#, "\u{FFFF}"),
      (#"\0\1\12\101\1012"#, "\0\u{1}\nAA2"), (#"\8\9"#, "89"), (#"\08"#, "\0" + "8"),
      (#"\177\200\341\375"#, "\u{7F}\u{A0}Æ\u{FF}"), (#"\256\257"#, "\u{FB01}\u{FB02}"),
    ])
  func escapes(escaped: String, string: String) throws {
    #expect(try read("(\"\(escaped)\")", as: .openStep).value == [.string(string)])
    #expect(try read("('\(escaped)')", as: .openStep).value == [.string(string)])
  }

  @Test("The octal escapes above 177 are the characters of NeXTSTEP's encoding, in their order")
  func octalEscapes() throws {
    let escapes = (0x80...0xFD).map { "\\" + String($0, radix: 8) }.joined()
    // Blank, then row by row of sixteen.
    let characters =
      "\u{A0}ÀÁÂÃÄÅÇÈÉÊËÌÍÎÏ" + "ÐÑÒÓÔÕÖÙÚÛÜÝÞµ×÷" + "©¡¢£⁄¥ƒ§¤’“«‹›ﬁﬂ" + "®–†‡·¦¶•‚„”»…‰¬¿"
      + "¹ˋ´ˆ˜¯˘˙¨²˚¸³˝˛ˇ" + "—±¼½¾àáâãäåçèéêë" + "ìÆíªîïðñŁØŒºòóôõ" + "öæùúûıüýłøœßþÿ"
    #expect(try read("\"\(escapes)\"", as: .openStep).value == .string(characters))
  }

  @Test(
    "Comments may stand wherever white space may",
    arguments: [
      "/**/{/**/a /**/=/**/b /**/;/**/c /**/=/**/(/**/d /**/,/**/e /**/)/**/;/**/}/**/",
      "//\n{//\na //\n=//\nb //\n;//\nc //\n=//\n(//\nd //\n,//\ne //\n)//\n;//\n}//",
      "//\r{a = b;//}\r\nc = (d,// e)\u{2028}e);}// /*",
      "/* } // ' \" * / **/{a = b /***/;c = (d, e);}",
      "/*//*/a = b;// c = (d);\nc = (d, e);/* x = y;\n */",
    ])
  func comments(text: String) throws {
    #expect(try read(text, as: .openStep).value == ["a": "b", "c": ["d", "e"]])
  }

  @Test(
    "A table is a dictionary without braces, in which a key alone is its own value",
    arguments: [
      (#""a" = "b";"#, ["a": "b"]),
      ("a = b;\nc = d;", ["a": "b", "c": "d"]),
      (#""k";"#, ["k": "k"]),
      ("k;l = m;n;", ["k": "k", "l": "m", "n": "n"]),
      ("a = {b = (c);}; 'd e' = <00>;", ["a": ["b": ["c"]], "d e": .data(Data([0]))]),
      (#"{"k"; l;}"#, ["k": "k", "l": "l"]),
      ("/* only a comment */", [:]),
      ("// only a comment", [:]),
      (" //\n /* */ \n", [:]),
    ] as [(String, PlistValue)])
  func tables(text: String, value: PlistValue) throws {
    let document = try read(text, as: .openStep)
    #expect(document.value == value)
    #expect(document.warnings == [])
  }

  @Test("A document that is only a bare word is read with a warning")
  func bareWord() throws {
    let document = try read("/* é */\n  hi // there", as: .openStep)
    #expect(document.value == "hi")
    #expect(
      document.warnings.map(\.description) == [
        "line 2 column 3: the document is a single bare word, read as a string"
      ])
  }

  @Test("The last value of a repeated key counts, with warnings in the order of the document")
  func duplicateKeys() throws {
    let document = try read(
      "'é' = 1;\r\n'é' = {\r  b = 1; /* 😀 */ b = 2;\n};\nk; k; k = ({x = 1; x = 2;});",
      as: .openStep)
    #expect(document.value == ["é": ["b": "2"], "k": [["x": "2"]]])
    #expect(
      document.warnings.map(\.description) == [
        "line 2 column 1: the key appears more than once; the last value wins (key path é)",
        "line 3 column 18: the key appears more than once; the last value wins (key path é.b)",
        "line 5 column 4: the key appears more than once; the last value wins (key path k)",
        "line 5 column 7: the key appears more than once; the last value wins (key path k)",
        "line 5 column 20: the key appears more than once; the last value wins (key path k.0.x)",
      ])
  }

  @Test(
    "Typed values of GNUstep are read with the option, in quotes or not",
    arguments: [
      ("<*I5>", 5), (#"<*I"5">"#, 5), ("<*I-9223372036854775808>", .integer(.min)),
      ("<*I18446744073709551615>", .unsignedInteger(.max)),
      ("<*R1.5>", 1.5), (#"<*R"-1e3">"#, -1000.0), ("<*R2>", 2.0),
      ("<*BY>", true), ("<*BN>", false), (#"<*B"Y">"#, true),
      ("<*D2001-01-01 00:00:00 +0000>", .time(0)),
      (#"<*D"2001-01-02 01:00:00 +0100">"#, .time(86400)),
      ("<*D2000-12-31 20:30:00 -0330>", .time(0)),
    ] as [(String, PlistValue)])
  func typedValues(text: String, value: PlistValue) throws {
    let options = PlistReadOptions.with { $0.allowsTypedValues = true }
    #expect(try read(text, as: .openStep, options: options).value == value)
    #expect(try read("{a = (\(text));}", as: .openStep, options: options).value == ["a": [value]])
    #expect(readError(text, as: .openStep) == "line 1 column 2: expected hexadecimal digits or >")
  }

  @Test("A typed date may have a fraction of a second where dates are read leniently")
  func lenientTypedDate() throws {
    var options = PlistReadOptions()
    options.allowsTypedValues = true
    options.allowsLenientDates = true
    let document = try read("<*D2001-01-01 00:00:00.25 +0000>", as: .openStep, options: options)
    #expect(document.value == .time(0.25))
  }

  @Test("Data and typed values stand side by side with the option")
  func typedValuesAndData() throws {
    let options = PlistReadOptions.with { $0.allowsTypedValues = true }
    let document = try read("(<0f>, <*I1>, <>)", as: .openStep, options: options)
    #expect(document.value == [.data(Data([0x0F])), 1, .data(Data())])
  }
}
