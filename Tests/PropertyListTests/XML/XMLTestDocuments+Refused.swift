extension XMLTestDocuments {
  /// Elements, each the value of the key `a` in line 4.
  static let refusedElements: [(String, String)] = [
    (
      "<integer>4x</integer>",
      "line 4 column 10: not an integer; "
        + "expected digits, or 0x and hexadecimal digits (key path a)"
    ),
    (
      "<integer>4.5</integer>",
      "line 4 column 10: not an integer; "
        + "expected digits, or 0x and hexadecimal digits (key path a)"
    ),
    (
      "<integer></integer>",
      "line 4 column 10: not an integer; "
        + "expected digits, or 0x and hexadecimal digits (key path a)"
    ),
    (
      "<integer>0x</integer>",
      "line 4 column 10: not an integer; "
        + "expected digits, or 0x and hexadecimal digits (key path a)"
    ),
    (
      "<integer>18446744073709551616</integer>",
      "line 4 column 10: the integer is out of range; expected -2^63 to 2^64-1 (key path a)"
    ),
    (
      "<integer>-9223372036854775809</integer>",
      "line 4 column 10: the integer is out of range; expected -2^63 to 2^64-1 (key path a)"
    ),
    (
      "<integer>-0x8000000000000001</integer>",
      "line 4 column 10: the integer is out of range; expected -2^63 to 2^64-1 (key path a)"
    ),
    (
      "<real>0x1p3</real>",
      "line 4 column 7: the real is malformed; "
        + "expected a decimal number, nan, infinity or -infinity (key path a)"
    ),
    (
      "<real>1.5f</real>",
      "line 4 column 7: the real is malformed; "
        + "expected a decimal number, nan, infinity or -infinity (key path a)"
    ),
    (
      "<real> 1</real>",
      "line 4 column 7: the real is malformed; "
        + "expected a decimal number, nan, infinity or -infinity (key path a)"
    ),
    (
      "<real/>",
      "line 4 column 6: the real is malformed; "
        + "expected a decimal number, nan, infinity or -infinity (key path a)"
    ),
    (
      "<real>1e400</real>",
      "line 4 column 7: the real is out of range for a double (key path a)"
    ),
    (
      "<data>AQ</data>",
      "line 4 column 9: the data is malformed; expected base64 with padding (key path a)"
    ),
    (
      "<data>AQ=</data>",
      "line 4 column 10: the data is malformed; expected base64 with padding (key path a)"
    ),
    (
      "<data>AQ==AQ==</data>",
      "line 4 column 11: the data is malformed; expected base64 with padding (key path a)"
    ),
    (
      "<data>A*==</data>",
      "line 4 column 8: the data is malformed; expected base64 with padding (key path a)"
    ),
    ("<true>x</true>", "line 4 column 7: text is not allowed in <true> (key path a)"),
    ("text", "line 4 column 1: text is not allowed in <dict> (key path a)"),
    (
      "<key>b</key>",
      "line 4 column 1: expected a value for the key, found <key> (key path a)"
    ),
    ("", "line 5 column 1: expected a value for the key, found </dict> (key path a)"),
    ("<true/><true/>", "line 4 column 8: expected <key> or </dict>, found <true>"),
    (
      "<array><key>b</key></array>",
      "line 4 column 8: <key> is not allowed in <array> (key path a.0)"
    ),
    (
      "<string>é<b/></string>",
      "line 4 column 10: <b> is not a property list element (key path a)"
    ),
    (
      "<string><true/></string>", "line 4 column 9: <true> is not allowed in <string> (key path a)"
    ),
    ("<plist/>", "line 4 column 1: <plist> is not allowed in <dict> (key path a)"),
    ("<null/>", "line 4 column 1: <null> is not a property list element (key path a)"),
    (
      "<x:true/>",
      "line 4 column 1: <x:true> is in a namespace; property list elements are in none (key path a)"
    ),
    (
      "<true xmlns=\"http://example.org/\"/>",
      "line 4 column 1: <true> is in a namespace; property list elements are in none (key path a)"
    ),
    (
      "<string>a<!-- b --></string>",
      "line 4 column 10: a comment is not allowed in <string> (key path a)"
    ),
    (
      "<integer>1<!-- b --></integer>",
      "line 4 column 11: a comment is not allowed in <integer> (key path a)"
    ),
    (
      "<string><?b c?></string>",
      "line 4 column 9: a processing instruction is not allowed in <string> (key path a)"
    ),
    (
      "<data><![CDATA[AQ==]]></data>",
      "line 4 column 7: a CDATA section is not allowed in <data> (key path a)"
    ),
    (
      "<integer><![CDATA[1]]></integer>",
      "line 4 column 10: a CDATA section is not allowed in <integer> (key path a)"
    ),
    (
      "<![CDATA[ ]]><true/>",
      "line 4 column 1: a CDATA section is not allowed in <dict> (key path a)"
    ),
    (
      "<!-- a -- b --><true/>",
      "line 4 column 8: the comment is malformed; "
        + "expected --> at its end and no -- before (key path a)"
    ),
    (
      "<string>]]></string>",
      "line 4 column 9: ]]> is not allowed in text; expected ]]&gt; (key path a)"
    ),
    (
      "<string>&nbsp;</string>",
      "line 4 column 9: the entity is not defined; expected &amp;, &lt;, &gt;, &apos; or &quot; (key path a)"
    ),
    (
      "<string>a & b</string>",
      "line 4 column 11: the entity is not defined; expected &amp;, &lt;, &gt;, &apos; or &quot; (key path a)"
    ),
    (
      "<string>&#0;</string>",
      "line 4 column 9: the character is not allowed in XML here (key path a)"
    ),
    (
      "<string>&#xFFFF;</string>",
      "line 4 column 9: the character is not allowed in XML here (key path a)"
    ),
    (
      "<string>\u{FFFF}</string>",
      "line 4 column 9: the character is not allowed in XML here (key path a)"
    ),
    (
      "<integer>&#1;</integer>",
      "line 4 column 10: the character is not allowed in XML here (key path a)"
    ),
    (
      "<!-- \u{1} --><string/>",
      "line 4 column 6: the character is not allowed in XML here (key path a)"
    ),
    (
      "<string><!-- \u{1} --></string>",
      "line 4 column 14: the character is not allowed in XML here (key path a)"
    ),
    (
      "<string a=\"\u{1}\"/>",
      "line 4 column 12: the character is not allowed in XML here (key path a)"
    ),
    (
      "<string><b a=\"&#1;\"/></string>",
      "line 4 column 9: <b> is not a property list element (key path a)"
    ),
    (
      "<string><![CDATA[\u{1}]]></string>",
      "line 4 column 18: the CDATA section is malformed; "
        + "expected ]]> at its end and no control character before (key path a)"
    ),
    (
      "<string></integer>",
      "line 4 column 9: expected </string>, found </integer> (key path a)"
    ),
    (
      "<string a='1' a='2'/>",
      "line 4 column 20: the attribute is malformed; expected name=\"value\" (key path a)"
    ),
    (
      "<string a/>",
      "line 4 column 10: the attribute is malformed; expected name=\"value\" (key path a)"
    ),
    (
      "< string/>", "line 4 column 2: the tag is malformed; expected <name> or </name> (key path a)"
    ),
  ]

  static let refused: [(String, String)] = [
    ("", "the document is empty; expected a property list"),
    (" \n\t", "the document is empty; expected a property list"),
    ("<plist/>", "line 1 column 7: <plist> is empty; expected a value"),
    ("<plist>\n</plist>", "line 2 column 1: <plist> is empty; expected a value"),
    (
      "<plist>",
      "line 1 column 8: expected </plist>, found the end of the document"
    ),
    ("<plist", "line 1 column 7: the tag is malformed; expected <name> or </name>"),
    ("<html>\n</html>", "line 1 column 1: <html> is not a property list element"),
    (
      "<!-- a\n b -->\n\n  <html\n a='b'/>",
      "line 4 column 3: <html> is not a property list element"
    ),
    (
      String(repeating: "<!-- \(String(repeating: "x", count: 30_000)) -->", count: 4)
        + " <html\n a='b'/>",
      "line 1 column 120038: <html> is not a property list element"
    ),
    ("<key>a</key>", "line 1 column 1: <key> is not allowed in the document itself"),
    ("\n \n  <html/>", "line 3 column 3: <html> is not a property list element"),
    ("<plist><key>a</key></plist>", "line 1 column 8: <key> is not allowed in <plist>"),
    (
      "<plist><true/><true/></plist>",
      "line 1 column 15: <true> is not allowed in <plist> after its value"
    ),
    ("<plist><plist/></plist>", "line 1 column 8: <plist> is not allowed in <plist>"),
    ("<plist> é<true/></plist>", "line 1 column 9: text is not allowed in <plist>"),
    (
      "<plist><true/></plist>x",
      "line 1 column 23: unexpected content after the root element"
    ),
    (
      "<plist><true/></plist>\n<plist/>",
      "line 2 column 1: unexpected content after the root element"
    ),
    (
      "<plist><true/></plist>\0\0x",
      "line 1 column 23: unexpected content after the root element"
    ),
    ("plist", "line 1 column 1: expected an element"),
    (
      "<!DOCTYPE", "line 1 column 10: the DOCTYPE is malformed; expected it to end with >"
    ),
    (
      "<!DOCTYPEplist><plist><true/></plist>",
      "line 1 column 10: the DOCTYPE is malformed; expected it to end with >"
    ),
    (
      "<!DOCTYPE\u{FFFF}><plist><true/></plist>",
      "line 1 column 10: the character is not allowed in XML here"
    ),
    (
      "<!DOCTYPEa\u{1}><plist><true/></plist>",
      "line 1 column 10: the DOCTYPE is malformed; expected it to end with >"
    ),
    (
      "<!DOCTYPE plist>[]><plist><true/></plist>", "line 1 column 17: expected an element"
    ),
    (
      "<!DOCTYPE plist [<!ENTITY a \"b\">]><plist><string>&a;</string></plist>",
      "line 1 column 1: the DOCTYPE has an internal subset; "
        + "property lists must not define entities"
    ),
    (
      "<?xml version=\"1.0\"?>\n<!DOCTYPE plist []><plist><true/></plist>",
      "line 2 column 1: the DOCTYPE has an internal subset; "
        + "property lists must not define entities"
    ),
    (
      "<!DOCTYPE plist SYSTEM \"a.dtd\"><plist><string>&a;</string></plist>",
      "line 1 column 47: the entity is not defined; expected &amp;, &lt;, &gt;, &apos; or &quot;"
    ),
    (
      "<?xml version=\"1.0\" encoding=\"Shift_JIS\"?><plist><true/></plist>",
      "line 1 column 1: the encoding Shift_JIS is not supported; "
        + "expected UTF-8, UTF-16, UTF-32, US-ASCII, ISO-8859-1 or windows-1252"
    ),
    (
      "<?xml version=\"1.0\" encoding=\"klingon\"?><plist><true/></plist>",
      "line 1 column 1: the encoding klingon is not supported; "
        + "expected UTF-8, UTF-16, UTF-32, US-ASCII, ISO-8859-1 or windows-1252"
    ),
    (
      "\u{FEFF}<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><plist><string>é</string></plist>",
      "line 1 column 1: the encoding ISO-8859-1 contradicts the byte-order mark; expected UTF-8"
    ),
    (
      "<?xml version=\"1.0\" encoding=\"UTF-16\"?><plist><true/></plist>",
      "line 1 column 38: the bytes are not valid in the document's encoding"
    ),
  ]
}
