import Testing

@Suite("PlistBuddy's errors")
struct PlistBuddyFailureTests {
  private static let integer =
    "not an integer; expected digits, or 0x and hexadecimal digits"
  private static let date =
    "expected a date such as Mon Jan 01 00:00:00 UTC 2024 or 2024-01-01T00:00:00Z"
  private static let types = "expected string, array, dict, bool, real, integer, date or data"

  /// Commands that do not parse, or whose value does not: the notice on standard output, and its
  /// explanation.
  static let syntaxErrors: [(command: String, notice: String, explanation: String)] = [
    ("", "Unrecognized Command", "the command is empty"),
    ("Prnt", "Unrecognized Command", "unrecognized command: Prnt; did you mean Print?"),
    ("sett :a b", "Unrecognized Command", "unrecognized command: sett; did you mean Set?"),
    ("xD", "Unrecognized Command", "unrecognized command: xD; did you mean CD?"),
    ("Frobnicate", "Unrecognized Command", "unrecognized command: Frobnicate; try Help"),
    (
      "Print ':name", "Parse Error: Unclosed Quotes",
      #"a single quote is never closed; type \' for the character itself"#
    ),
    (
      "Set :name Don't", "Parse Error: Unclosed Quotes",
      #"a single quote is never closed; type \' for the character itself"#
    ),
    (
      #"Set :name "a\""#, "Parse Error: Unclosed Quotes",
      #"a double quote is never closed; type \" for the character itself"#
    ),
    ("Set", "Entry Required for Set Command", "usage: Set entry [value]"),
    ("+", "Entry Required for Add Command", "usage: Add entry type [value]"),
    ("Add :n", "Type Required for Add Command", "usage: Add entry type [value]"),
    ("Add :n strin x", "Unrecognized Type: strin", types),
    ("Clear color", "Unrecognized Type: color", types),
    ("Delete :my key", "Unrecognized Type: key", types),
    ("Delete", "Entry Required for Delete Command", "usage: Delete entry [type]"),
    ("Copy", "Entry Required for Copy Command", "usage: Copy entry new-entry"),
    ("Copy :name", "Two Entries Required for Copy Command", "usage: Copy entry new-entry"),
    ("Merge", "File required for Merge Command", "usage: Merge [-r] file [entry]"),
    ("Merge -r", "File required for Merge Command", "usage: Merge [-r] file [entry]"),
    ("Import", "Entry Required for Import Command", "usage: Import entry file"),
    ("Import :x", "File required for Import Command", "usage: Import entry file"),
    (
      "Print a b", "Too Many Arguments for Print Command",
      "usage: Print [entry]; quote a word that contains spaces"
    ),
    ("Save now", "Too Many Arguments for Save Command", "usage: Save"),
    ("Set :count five", "Unrecognized Integer Format", integer),
    ("Set :count", "Unrecognized Integer Format", integer),
    (
      "Set :count 18446744073709551616", "Unrecognized Integer Format",
      "the integer is out of range; expected -2^63 to 2^64-1"
    ),
    ("Set :ratio 1e999", "Unrecognized Real Format", "the real is out of range for a double"),
    ("Set :on maybe", "Unrecognized Bool Format", "expected true, false, yes, no, 1 or 0"),
    ("Set :when now", "Unrecognized Date Format", date),
    ("Set :when Mon Feb 30 00:00:00 UTC 2024", "Unrecognized Date Format", date),
    ("Set :when Mon Jan 01 00:00:00 CET 2024", "Unrecognized Date Format", date),
    ("Add :n integer ''", "Unrecognized Integer Format", integer),
    ("Add :n integer x", "Unrecognized Integer Format", integer),
    (
      "Add :n dict x", "Unexpected Value for Type: dict",
      "an array or a dict takes no value; add its entries one by one"
    ),
    ("Add :n date", "Unrecognized Date Format", date),
    ("Clear date", "Unrecognized Date Format", date),
  ]

  @Test(
    "what does not parse is reported on standard output, as by Apple's, and explained",
    arguments: syntaxErrors)
  func syntax(command: String, notice: String, explanation: String) throws {
    try PlistBuddyFixture().expect(
      command, output: notice + "\n", error: "PlistBuddy: \(explanation)\n")
  }

  static let failures = [
    ("Set :none x", #"Set: Entry, ":none", Does Not Exist"#),
    ("Set none:x x", #"Set: Entry, "none:x", Does Not Exist"#),
    ("Set :list x", "Set: Cannot Perform Set On Containers"),
    ("Set :a\\:b x", "Set: Cannot Perform Set On Containers"),
    ("Set : x", "Set: Cannot Perform Set On Containers"),
    ("Set :list: x", "Set: Cannot Perform Set On Containers"),
    ("Set :name: x", #"Set: Entry, ":name:", Does Not Exist"#),
    ("Add :name string x", #"Add: ":name" Entry Already Exists"#),
    ("Add : dict", #"Add: ":" Entry Already Exists"#),
    ("Add :name:x string y", #"Add: Can't Add Entry, ":name:x", to Parent"#),
    ("Add :list:-1 string x", #"Add: Entry, ":list:-1", Is Not an Array Index"#),
    ("Add :list:x string x", #"Add: Entry, ":list:x", Is Not an Array Index"#),
    ("Add :new: string x", #"Add: Entry, ":new:", Has No Key After Its Last Colon"#),
    ("Add :a\\:b: string x", #"Add: Entry, ":a\:b:", Has No Key After Its Last Colon"#),
    ("Print :none", #"Print: Entry, ":none", Does Not Exist"#),
    ("Print :list:2", #"Print: Entry, ":list:2", Does Not Exist"#),
    ("Print :name:", #"Print: Entry, ":name:", Does Not Exist"#),
    ("Print :name:x", #"Print: Entry, ":name:x", Does Not Exist"#),
    ("Print 'a\nb'", #"Print: Entry, "a\u{a}b", Does Not Exist"#),
    ("Delete :none", #"Delete: Entry, ":none", Does Not Exist"#),
    ("Delete :list:", #"Delete: Entry, ":list:", Does Not Exist"#),
    ("Delete :name:x", #"Delete: Entry, ":name:x", Does Not Exist"#),
    ("Delete :", #"Delete: Entry, ":", Is the Root; Use Clear to Empty It"#),
    ("Copy :none :x", #"Copy: Entry, ":none", Does Not Exist"#),
    ("Copy :name :on", #"Copy: ":on" Entry Already Exists"#),
    (
      "Merge none",
      "none: cannot open: No such file or directory\nMerge: Error Reading File: none"
    ),
    ("Merge f.plist :none", #"Merge: ":none" Entry Does Not Exist"#),
    ("Merge f.plist :list", "Merge: Can't Add dict Entries to array"),
    ("Merge f.plist :name", "Merge: Specified Entry Must Be a Container"),
    (
      "Import :x none",
      "none: cannot open: No such file or directory\nImport: Error Reading File: none"
    ),
    ("Import :list f.plist", "Import: Specified Entry Must Not Be a Container"),
    (
      "Import :x .", ".: is a directory\nImport: Error Reading File: ."
    ),
    ("CD :none", #"CD: Entry, ":none", Does Not Exist"#),
    ("CD :name", #"CD: Entry, ":name", Is Not A Container"#),
  ]

  @Test("a failing command reports the reason and leaves the file unchanged", arguments: failures)
  func failure(command: String, error: String) throws {
    try PlistBuddyFixture().expect(command, error: error + "\n")
  }
}
