extension XMLTestDocuments {
  private static let real =
    "the real is malformed; expected a decimal number, nan, infinity or -infinity"
  private static let character = "the character is not allowed in XML here"
  private static let namespace = "is in a namespace; property list elements are in none"
  private static let doctype = "the DOCTYPE is malformed; expected it to end with >"
  private static let text = "unexpected content after the root element"
  private static let html = "<html> is not a property list element"

  /// Elements, each the value of the key `a` in line 4, with the column and the text of the error.
  /// The documents in Fixtures/malformed/xml have the others.
  static let refusedElements: [(String, Int, String)] = [
    ("<real/>", 6, "\(real) (key path a)"),
    ("<data>A*==</data>", 8, "the data is malformed; expected base64 with padding (key path a)"),
    ("<true/><true/>", 8, "expected <key> or </dict>, found <true>"),
    ("<string>é<b/></string>", 10, "<b> is not a property list element (key path a)"),
    ("<string><b a=\"&#1;\"/></string>", 9, "<b> is not a property list element (key path a)"),
    ("<x:true/>", 1, "<x:true> \(namespace) (key path a)"),
    ("<true xmlns=\"http://example.org/\"/>", 1, "<true> \(namespace) (key path a)"),
    ("<![CDATA[ ]]><true/>", 1, "a CDATA section is not allowed in <dict> (key path a)"),
    ("<string>\u{FFFF}</string>", 9, "\(character) (key path a)"),
    ("<integer>&#1;</integer>", 10, "\(character) (key path a)"),
    ("<string><!-- \u{1} --></string>", 14, "\(character) (key path a)"),
    ("<string a/>", 10, "the attribute is malformed; expected name=\"value\" (key path a)"),
  ]

  /// Documents with the place and the text of the error.
  static let refused: [(String, String)] = [
    ("<plist>", "line 1 column 8: expected </plist>, found the end of the document"),
    ("<plist", "line 1 column 7: the tag is malformed; expected <name> or </name>"),
    ("<!-- a\n b -->\n\n  <html\n a='b'/>", "line 4 column 3: \(html)"),
    (
      String(repeating: "<!-- \(String(repeating: "x", count: 30_000)) -->", count: 4)
        + " <html\n a='b'/>", "line 1 column 120038: \(html)"
    ),
    ("\n \n  <html/>", "line 3 column 3: \(html)"),
    (
      "<plist><true/><true/></plist>",
      "line 1 column 15: <true> is not allowed in <plist> after its value"
    ),
    ("<plist><true/></plist>\0\0x", "line 1 column 23: \(text)"),
    ("<!DOCTYPE", "line 1 column 10: \(doctype)"),
    ("<!DOCTYPEplist><plist><true/></plist>", "line 1 column 10: \(doctype)"),
    ("<!DOCTYPE\u{FFFF}><plist><true/></plist>", "line 1 column 10: \(character)"),
    ("<!DOCTYPEa\u{1}><plist><true/></plist>", "line 1 column 10: \(doctype)"),
    ("<!DOCTYPE plist>[]><plist><true/></plist>", "line 1 column 17: expected an element"),
    (
      "<!DOCTYPE plist SYSTEM \"a.dtd\"><plist><string>&a;</string></plist>",
      "line 1 column 47: the entity is not defined; expected &amp;, &lt;, &gt;, &apos; or &quot;"
    ),
    (
      "<?xml version=\"1.0\" encoding=\"klingon\"?><plist><true/></plist>",
      "line 1 column 1: the encoding klingon is not supported; "
        + "expected UTF-8, UTF-16, UTF-32, US-ASCII, ISO-8859-1 or windows-1252"
    ),
  ]
}
