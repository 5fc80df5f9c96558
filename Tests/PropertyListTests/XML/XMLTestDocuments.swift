import Foundation

@testable import PropertyList

/// Documents that the XML reader accepts, with their values, and documents that it refuses, with
/// the texts of the errors.
enum XMLTestDocuments {
  /// A document with an element, at line 4 column 1, as the value of the key `a`.
  static func document(_ element: String) -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <plist version="1.0">
    <dict><key>a</key>
    \(element)
    </dict></plist>
    """
  }

  // MARK: Accepted

  /// Elements with their values. The documents in Fixtures/xml have the others.
  static let acceptedElements: [(String, PlistValue)] = [
    ("<integer>0Xff</integer>", 255),
    ("<integer> \n\t5 </integer>", 5),
    ("<integer>007</integer>", 7),
    ("<real>-1.5e3</real>", -1500.0),
    ("<real>5.</real>", 5.0),
    ("<real>+2E-2</real>", 0.02),
    ("<real>nan</real>", .real(.nan)),
    ("<real>-NaN</real>", .real(.nan)),
    ("<real>-INFINITY</real>", .real(-.infinity)),
    ("<real>0.10000000000000001</real>", 0.1),
    ("<false></false>", false),
    ("<true> </true>", true),
    ("<string> a\n b </string>", " a\n b "),
    ("<string>&lt;&amp;&gt;&quot;&apos;&#65;&#x42;</string>", "<&>\"'AB"),
    ("<string>a<![CDATA[<b>&amp;]]>c</string>", "a<b>&amp;c"),
    ("<string>a&#13;b</string>", "a\rb"),
    ("<string>a\r\nb\rc</string>", "a\r\nb\rc"),
    ("<string class=\"x\">attributes</string>", "attributes"),
    ("<string xml:space=\"preserve\"> x </string>", " x "),
    ("<string>grüße 😀</string>", "grüße 😀"),
    ("<date>2001-01-01T00:00:00Z</date>", .time(0)),
    ("<date>2024-02-29T12:00:00Z</date>", .time(730_900_800)),
    ("<data>AQ==</data>", .data(Data([1]))),
    ("<data>AQI=</data>", .data(Data([1, 2]))),
    ("<data>\n\tAQ\n\tID\n</data>", .data(Data([1, 2, 3]))),
    ("<data>+/8=</data>", .data(Data([0xFB, 0xFF]))),
    ("<array><!-- between --><integer>1</integer><?target?></array>", [1]),
    ("<dict><key></key><true/></dict>", ["": true]),
    ("<dict><key>CF$UID</key><integer>0</integer></dict>", .uid(0)),
    ("<dict><key>CF$UID</key><integer>4294967295</integer></dict>", .uid(.max)),
    (
      "<dict><key>CF$UID</key><integer>4294967296</integer></dict>",
      ["CF$UID": .integer(4_294_967_296)]
    ),
    ("<dict><key>CF$UID</key><integer>-1</integer></dict>", ["CF$UID": -1]),
    ("<dict><key>CF$UID</key><string>1</string></dict>", ["CF$UID": "1"]),
    (
      "<dict><key>CF$UID</key><integer>1</integer><key>b</key><true/></dict>",
      ["CF$UID": 1, "b": true]
    ),
  ]

  static let accepted: [(String, PlistValue)] = [
    ("\u{FEFF}<plist><true/></plist>", true),
    (" \n <?xml version=\"1.0\"?><plist><true/></plist>", true),
    ("\u{FEFF}\n<?xml version=\"1.0\" encoding=\"utf-8\"?><plist><true/></plist>", true),
    ("<plist><true/></plist>\n \0\0\n", true),
    (
      String(repeating: "\n", count: 100_000) + "<plist>" + String(repeating: " ", count: 100_000)
        + "<true/></plist>" + String(repeating: "\n", count: 100_000), true
    ),
    (
      "<?xml version=\"1.0\"?>" + String(repeating: "\n", count: 100_000)
        + "<plist><true/></plist>",
      true
    ),
    ("<!DOCTYPE other SYSTEM \"file:///etc/passwd\"><plist><true/></plist>", true),
    ("<!DOCTYPE plist><!-- a --><?b c?><plist><true/></plist><!-- d -->", true),
    ("<?xml version=\"1.1\"?><plist><true/></plist>", true),
    ("<plist\n  version='1.0'><true/></plist\n>", true),
  ]

  static let acceptedWithWarning: [(String, PlistValue, [String])] = [
    ("\n<dict/>", [:], ["line 2 column 1: the value has no <plist> element around it"]),
    (
      "<plist><dict><key>a</key><integer>1</integer>\n <key>a</key><integer>2</integer></dict></plist>",
      ["a": 2],
      ["line 2 column 2: the key appears more than once; the last value wins (key path a)"]
    ),
    (
      "<plist><array><dict><key>b</key><true/><key>c</key><true/><key>b</key><false/></dict></array></plist>",
      [["b": false, "c": true]],
      ["line 1 column 59: the key appears more than once; the last value wins (key path 0.b)"]
    ),
  ]
}
