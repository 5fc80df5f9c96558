import Foundation

extension HostileFile {
  static let xml: [HostileFile] =
    markup
    + depths {
      "<plist>" + repeated("<array>", $0) + repeated("</array>", $0) + "</plist>"
    }

  private static let markup: [HostileFile] =
    [
      HostileFile("deep arrays", "<plist>" + repeated("<array>", 100_000)),
      HostileFile("deep dictionaries", "<plist>" + repeated("<dict><key>a</key>", 100_000)),
      HostileFile("deep unknown elements", repeated("<foo>", 100_000)),
      HostileFile("deep strings", repeated("<string>", 100_000)),
      HostileFile(
        "100,000 attributes",
        "<plist><dict " + (0..<100_000).map { "a\($0)='>'" }.joined(separator: " ") + "/>"),
      HostileFile(
        "100,000 namespaces",
        "<plist " + (0..<100_000).map { "xmlns:a\($0)='b'" }.joined(separator: " ") + "/>"),
      HostileFile("a long name", "<" + repeated("a", 1_000_000)),
      HostileFile("a long comment", "<!--" + repeated("a", 1_000_000)),
      HostileFile("a long target", "<?" + repeated("a", 1_000_000)),
      HostileFile("a long DOCTYPE", "<!DOCTYPE plist PUBLIC \"" + repeated("a", 1_000_000)),
      HostileFile("a long attribute", "<plist version=\"" + repeated("a", 1_000_000)),
      HostileFile("a long integer", element("integer", repeated("9", 1_000_000))),
      HostileFile("a long real", element("real", repeated("9", 1_000_000))),
      HostileFile("a long date", element("date", repeated("9", 1_000_000))),
      HostileFile("long data", element("data", repeated("AAAA", 250_000))),
      HostileFile(
        "many control characters", element("string", repeated("a&#1;", 300_000))),
      HostileFile("many raw control characters", element("string", repeated("a\u{7}", 300_000))),
      HostileFile("many references", element("string", repeated("&lt;&#13;", 100_000))),
      HostileFile("an entity bomb", entityBomb),
      HostileFile("unending CDATA", "<plist><string><![CDATA[" + repeated("a", 1_000_000)),
      HostileFile(
        "many keys",
        "<plist><dict>"
          + (0..<50_000).map { "<key>\($0 * 7919 % 50_000)</key><true/>" }.joined()
          + "</dict></plist>"),
      HostileFile(
        "equal keys below a long path",
        "<plist>" + repeated("<dict><key>\(repeated("k", 200))</key>", 500) + "<dict>"
          + repeated("<key>a</key><true/>", 50_000) + "</dict>" + repeated("</dict>", 500)
          + "</plist>"),
      HostileFile(
        "a long key around many equal ones",
        "<plist><dict><key>\(repeated("k", 1_000_000))</key><dict>"
          + repeated("<key>a</key><true/>", 1_100) + "</dict></dict></plist>"),
      HostileFile(
        "keys that differ in form, and an empty one",
        "<plist><dict><key>\u{E9}</key><true/><key>e\u{301}</key><true/><key/><true/></dict>"
          + "</plist>"),
      HostileFile(
        "many empty arrays",
        "<plist><array>" + repeated("<array/>", 100_000) + "</array></plist>"),
      HostileFile(
        "a wide array at the bottom of deep ones",
        "<plist>" + repeated("<array>", 512) + repeated("<true/>", 100_000)
          + repeated("</array>", 512) + "</plist>"),
      HostileFile("a truncated document", "<plist><array><string>a"),
      HostileFile("an undefined encoding", "<?xml version='1.0' encoding='EBCDIC'?><plist/>"),
      HostileFile("half of UTF-16", Data([0xFF, 0xFE]) + Data(repeating: 0x3C, count: 99_999)),
    ]

  private static func element(_ name: String, _ text: String) -> String {
    "<plist><\(name)>\(text)</\(name)></plist>"
  }

  private static let entityBomb: String = {
    var text = "<!DOCTYPE plist [<!ENTITY a0 \"ha\">"
    for level in 1...30 {
      text += "<!ENTITY a\(level) \"\(repeated("&a\(level - 1);", 10))\">"
    }
    return text + "]><plist><string>&a30;</string></plist>"
  }()

  /// A document at the limit of depth, and the first ones beyond.
  static func depths(_ document: (Int) -> String) -> [HostileFile] {
    [512, 513].map { HostileFile("\($0) levels", document($0)) }
  }
}
