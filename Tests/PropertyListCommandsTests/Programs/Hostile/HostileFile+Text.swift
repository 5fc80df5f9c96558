import Foundation

extension HostileFile {
  static let openStep: [HostileFile] =
    [
      HostileFile("deep old style", repeated("(", 1_000_000)),
      HostileFile("deep old-style dictionaries", repeated("{a=", 500_000)),
      HostileFile("equal old-style keys", "{" + repeated("a=b;", 200_000) + "}"),
      HostileFile("an unending old-style string", "\"" + repeated("\\U", 500_000)),
      HostileFile("an unending old-style comment", "/*" + repeated("/*", 500_000)),
      HostileFile("long old-style data", "<" + repeated("0", 1_000_001) + ">"),
      HostileFile("a wide old-style array", "(" + repeated("a,", 200_000) + "a)"),
      HostileFile(
        "a wide old-style array at the bottom of deep ones",
        repeated("(", 512) + repeated("a,", 100_000) + "a" + repeated(")", 512)),
      HostileFile("a truncated strings table", "\"a\" = \"b\"; \"c\" = "),
    ] + depths { repeated("(", $0) + repeated(")", $0) }

  static let json: [HostileFile] =
    [
      HostileFile("deep JSON", repeated("[", 1_000_000)),
      HostileFile("deep JSON objects", repeated("{\"a\":", 500_000)),
      HostileFile("equal JSON keys", "{" + repeated("\"a\":1,", 100_000) + "\"a\":1}"),
      HostileFile("an unending JSON string", "[\"" + repeated("\\u0041", 200_000)),
      HostileFile("a long JSON number", "[" + repeated("9", 1_000_000) + "]"),
      HostileFile("a long JSON exponent", "[1e" + repeated("9", 1_000_000) + "]"),
      HostileFile("unpaired surrogates in JSON", "[\"" + repeated("\\ud800", 1000) + "\"]"),
      HostileFile(
        "a wide JSON array at the bottom of deep ones",
        repeated("[", 512) + repeated("0,", 100_000) + "0" + repeated("]", 512)),
      HostileFile("null in JSON", "[" + repeated("null,", 100_000) + "null]"),
    ] + depths { repeated("[", $0) + repeated("]", $0) }
}
