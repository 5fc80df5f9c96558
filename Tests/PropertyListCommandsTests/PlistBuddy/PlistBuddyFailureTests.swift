import Testing

@Suite("PlistBuddy's errors")
struct PlistBuddyFailureTests {
  private static let integer =
    "the integer is malformed; expected decimal digits, or 0x and hexadecimal digits"
  private static let date =
    "expected a date such as Mon Jan 01 00:00:00 UTC 2024 or 2024-01-01T00:00:00Z"

  static let failures = [
    ("Set :none x", #"Set: Entry, ":none", Does Not Exist"#),
    ("Set none:x x", #"Set: Entry, "none:x", Does Not Exist"#),
    ("Set :list x", "Set: Cannot Perform Set On Containers"),
    ("Set :a\\:b x", "Set: Cannot Perform Set On Containers"),
    ("Set : x", "Set: Cannot Perform Set On Containers"),
    ("Set :count five", "Unrecognized Value: five: \(integer)"),
    ("Set :count", "Unrecognized Value: : \(integer)"),
    (
      "Set :count 18446744073709551616",
      "Unrecognized Value: 18446744073709551616: the integer is out of range; expected -2^63 to 2^64-1"
    ),
    (
      "Set :ratio 1e999",
      "Unrecognized Value: 1e999: the real is out of range for a double"
    ),
    ("Set :on maybe", "Unrecognized Value: maybe: expected true, false, yes, no, 1 or 0"),
    ("Set :when now", "Unrecognized Value: now: \(date)"),
    (
      "Set :when Mon Feb 30 00:00:00 UTC 2024",
      "Unrecognized Value: Mon Feb 30 00:00:00 UTC 2024: \(date)"
    ),
    (
      "Set :when Mon Jan 01 00:00:00 CET 2024",
      "Unrecognized Value: Mon Jan 01 00:00:00 CET 2024: \(date)"
    ),
    ("Add :name string x", #"Add: ":name" Entry Already Exists"#),
    ("Add : dict", #"Add: ":" Entry Already Exists"#),
    ("Add :n strin x", "Unrecognized Type: strin"),
    ("Add :n integer ''", "Unrecognized Value: : \(integer)"),
    ("Add :n integer x", "Unrecognized Value: x: \(integer)"),
    ("Add :n dict x", "Unrecognized Value: x: expected none for a container"),
    ("Add :n date", "Unrecognized Value: a date needs one"),
    ("Add :n", "Add: Expected Add entry type [value]"),
    ("Add :name:x string y", #"Add: Entry, ":name:x", Is Not In A Container"#),
    ("Add :list:3 string x", #"Add: Entry, ":list:3", Is Past The End Of Its Array"#),
    (
      "Add :list:99999999999999999999 string x",
      #"Add: Entry, ":list:99999999999999999999", Is Past The End Of Its Array"#
    ),
    ("Add :list:-1 string x", #"Add: Entry, ":list:-1", Is Not An Index Into Its Array"#),
    ("Add :new: string x", #"Add: Entry, ":new:", Needs A Key"#),
    ("Add :a\\:b: string x", #"Add: Entry, ":a\:b:", Needs A Key"#),
    ("Print :none", #"Print: Entry, ":none", Does Not Exist"#),
    ("Print :list:2", #"Print: Entry, ":list:2", Does Not Exist"#),
    ("Print :list:", #"Print: Entry, ":list:", Does Not Exist"#),
    ("Print :name:x", #"Print: Entry, ":name:x", Does Not Exist"#),
    ("Print 'a\nb'", #"Print: Entry, "a\u{a}b", Does Not Exist"#),
    ("Print a b", "Print: Expected Print [entry]"),
    ("Delete :none", #"Delete: Entry, ":none", Does Not Exist"#),
    ("Delete :", #"Delete: Entry, ":", Is The Root"#),
    ("Delete", "Delete: Expected Delete entry"),
    ("Copy :none :x", #"Copy: Entry, ":none", Does Not Exist"#),
    ("Copy :name :on", #"Copy: ":on" Entry Already Exists"#),
    ("Copy :name", "Copy: Expected Copy entry new-entry"),
    ("Merge none", "Merge: none: cannot open: No such file or directory"),
    ("Merge f.plist :none", #"Merge: Entry, ":none", Does Not Exist"#),
    ("Merge f.plist :list", "Merge: Cannot Merge a dictionary Into an array"),
    ("Merge f.plist :name", #"Merge: Entry, ":name", Is Not A Container"#),
    ("Import :x none", "Import: none: cannot open: No such file or directory"),
    ("Import :list f.plist", "Import: Cannot Perform Import On Containers"),
    ("Import :x .", "Import: .: cannot read: Is a directory"),
    ("Clear color", "Unrecognized Type: color"),
    ("Clear date", "Unrecognized Value: a date needs one"),
    ("CD :none", #"CD: Entry, ":none", Does Not Exist"#),
    ("CD :name", #"CD: Entry, ":name", Is Not A Container"#),
    ("Print ':name", "Parse Error: Unclosed Quotes"),
    ("Set :name Don't", "Parse Error: Unclosed Quotes"),
    (#"Set :name "a\""#, "Parse Error: Unclosed Quotes"),
    ("Prnt", "Unrecognized Command; did you mean Print?"),
    ("sett :a b", "Unrecognized Command; did you mean Set?"),
    ("xD", "Unrecognized Command; did you mean CD?"),
    ("Frobnicate", "Unrecognized Command"), ("Quit", "Unrecognized Command"),
    ("Save now", "Save: Expected Save"),
  ]

  @Test("a failing command reports the reason and leaves the file unchanged", arguments: failures)
  func failure(command: String, error: String) throws {
    try PlistBuddyFixture().expect(command, error: error + "\n")
  }
}
