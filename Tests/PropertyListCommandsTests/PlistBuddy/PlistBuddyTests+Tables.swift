import Foundation
import PropertyList

/// Commands and their outcomes.
extension PlistBuddyTests {
  static let entries = [
    ("Print :name", "Larder\n"), ("print name", "Larder\n"), ("PRINT  :list:1 ", "b\n"),
    ("Print :list", "Array {\n    a\n    b\n}\n"), ("Print on", "true\n"), ("ls :list:0", "a\n"),
    ("Print :list:", "Array {\n    a\n    b\n}\n"),
    ("Print ':a\\:b:'", "Dict {\n    c d = deep\n}\n"),
    (#"Print :a\:b:c\ d"#, "deep\n"), (#"Print ":a\:b:c d""#, "deep\n"),
    (#"Print ':a\:b:c d'"#, "deep\n"), (#"'Print' :"list":'0'"#, "a\n"),
  ]

  static let kinds: [(PlistValue, String)] = [
    (.real(0.1), "0.100000"), (.real(-2), "-2.000000"), (.real(1e-7), "1e-07"),
    (.real(0.1234567), "0.1234567"), (.real(.infinity), "inf"), (.real(.nan), "nan"),
    (.float(0.1), "0.100000"), (.float(1.5e-9), "1.5e-09"),
    (.unsignedInteger(.max), "18446744073709551615"), (.integer(.min), "-9223372036854775808"),
    (.uid(7), "UID 7"), (.null, "null"), (.set(["x"]), "Set {\n    x\n}"), (false, "false"),
    ([:], "Dict {\n}"), ([], "Array {\n}"),
    (.date(.init(timeIntervalSinceReferenceDate: -1)), "Sun Dec 31 23:59:59 UTC 2000"),
    (
      .date(.init(timeIntervalSinceReferenceDate: -62_104_060_800)),
      "Sat Jan 01 00:00:00 UTC 0033"
    ),
    (.date(.init(timeIntervalSinceReferenceDate: 0.75)), "Mon Jan 01 00:00:00 UTC 2001"),
    (.date(.init(timeIntervalSinceReferenceDate: 1e300)), "1e+300"),
  ]

  static let settings: [(String, String, PlistValue)] = [
    ("Set :name two  words ", "name", "two  words"), ("Set :name 'it is'", "name", "it is"),
    (#"Set :name \"a\" C:\\dir\"#, "name", #""a" C:\dir\"#), ("Set :name", "name", ""),
    (#"Set :name a\tb\nc"#, "name", "a\tb\nc"), (#"Set :name 'a\tb' "\n""#, "name", "a\tb \n"),
    (#"Set :name \a\x\\n\'"#, "name", #"ax\n'"#), (#"Set :name a\:b"#, "name", #"a\:b"#),
    (#"= :raw \n"#, "raw", .data(Data("\n".utf8))),
    ("Set name 5", "name", "5"), ("Set :count -7", "count", -7), ("Set :count 0x1F", "count", 31),
    ("Set :count 18446744073709551615", "count", .unsignedInteger(.max)),
    ("Set :ratio 1e3", "ratio", 1000.0), ("Set :on NO", "on", false), ("Set :on 0", "on", false),
    (
      "Set :when Thu Feb 29 23:59:58 UTC 2024", "when",
      .date(.init(timeIntervalSinceReferenceDate: 730_943_998))
    ),
    (
      "Set :when tue feb 6 00:00:00 gmt 2001", "when",
      .date(.init(timeIntervalSinceReferenceDate: 3_110_400))
    ),
    (
      "Set :when 2001-01-01T00:00:00Z", "when", .date(.init(timeIntervalSinceReferenceDate: 0))
    ),
    ("Set :raw ä b", "raw", .data(Data("ä b".utf8))),
    ("Set :list:1 x", "list", ["a", "x"]),
  ]

  static let additions: [(String, String, PlistValue)] = [
    ("Add :n string hello  world", "n", "hello  world"), ("Add n string", "n", ""),
    ("Add :n STRING x", "n", "x"),
    ("Add :n integer 12", "n", 12), ("Add :n integer", "n", 0), ("Add :n real 1", "n", 1.0),
    ("Add :n real", "n", 0.0), ("Add :n bool yes", "n", true), ("Add :n bool", "n", false),
    ("Add :n data hi there", "n", .data(Data("hi there".utf8))),
    ("Add :n data", "n", .data(Data())),
    ("Add :n date 2024-01-01", "n", .date(.init(timeIntervalSinceReferenceDate: 725_760_000))),
    ("Add :n dict", "n", [:]), ("Add :n array", "n", []),
    ("Add :n:b:0 string x", "n", ["b": ["0": "x"]]),
    ("Add :list: string x", "list", ["a", "b", "x"]),
    ("Add :list:2 string x", "list", ["a", "b", "x"]),
    ("Add :list:0 string x", "list", ["x", "a", "b"]),
    ("Add :list:9 string x", "list", ["a", "b", "x"]),
    ("Add :list:99999999999999999999 string x", "list", ["a", "b", "x"]),
    ("+ :n string x", "n", "x"), ("cp :name :n", "n", "Larder"), ("- :list:0", "list", ["b"]),
    ("rm :list:1", "list", ["a"]), ("Remove :list:0", "list", ["b"]),
    ("Delete :list:0 dict", "list", ["b"]), ("Delete :list:1 String", "list", ["a"]),
    ("Copy :list: :n", "n", ["a", "b"]), ("Add :n dict ''", "n", [:]),
    (#"Add :n\tm string x"#, "n\tm", "x"),
    ("Add :list:2:k string x", "list", ["a", "b", ["k": "x"]]),
    ("Add :list::k string x", "list", ["a", "b", ["k": "x"]]),
    (#"Add ":n \"q\"" string "x\"y""#, #"n "q""#, #"x"y"#),
    (#"Add :n\:m string x"#, "n:m", "x"), (#"Add :n\\ string x"#, #"n\"#, "x"),
    ("Copy :name :n", "n", "Larder"), ("Copy :list :n:m", "n", ["m": ["a", "b"]]),
    ("Copy :list:1 :list:0", "list", ["b", "a", "b"]),
    ("Copy :list :list:", "list", ["a", "b", ["a", "b"]]),
    ("Delete :list:0", "list", ["b"]),
  ]
}
