internal import CommandLineInterface

extension PlistBuddyTool {
  /// All commands, in the order of the help.
  static let commands: [EditCommand] = [
    .init(
      "Print", aliases: ["ls"], operands: .init("[entry]"),
      """
      Print the value of an entry, or of the working container
      $ Print :CFBundleVersion
      """
    ) { arguments in
      let entry = arguments.next()
      return .look { try $0.print(entry) }
    },
    .init(
      "Set", aliases: ["="], operands: .init("entry [value]"),
      """
      Change the value of an existing entry, which keeps its type; the values of an array or a dict are set \
      one by one. Without a value, a string or data becomes empty
      $ Set :CFBundleVersion 1.2
      """
    ) { arguments in
      let entry = try arguments.next("Entry Required")
      let value = arguments.rest() ?? ""
      return .change { try $0.set(entry, value) }
    },
    .init(
      "Add", aliases: ["+"], operands: .init("entry type [value]"),
      """
      Add a new entry of a type, and any dictionaries that are missing on the way to it. In an array it is \
      inserted at the index, or appended if the index is left out or past the end
      $ Add :Tags: string new
      """
    ) { arguments in
      let entry = try arguments.next("Entry Required")
      let type = try EntryType(named: try arguments.next("Type Required").text)
      let value = try type.value(arguments.rest())
      return .change { try $0.add(value, at: entry) }
    },
    .init(
      "Copy", aliases: ["cp"], operands: .init("entry new-entry"),
      """
      Add a new entry with the value of another one, including everything in it
      $ Copy :Tags:0 :FirstTag
      """
    ) { arguments in
      let source = try arguments.next("Entry Required")
      let target = try arguments.next("Two Entries Required")
      return .change { try $0.copy(source, to: target) }
    },
    .init(
      "Delete", aliases: ["remove", "rm", "-"], operands: .init("entry [type]"),
      """
      Remove an entry and everything in it. A type may follow, and is ignored
      $ Delete :Tags:0
      """
    ) { arguments in
      let entry = try arguments.next("Entry Required")
      // Apple's manual page has an example with a type, which has no effect.
      if let type = arguments.next() { _ = try EntryType(named: type.text) }
      return .change { try $0.delete(entry) }
    },
    .init(
      "Merge", operands: .init("[-r] file [entry]"),
      """
      Add the contents of another property list to an entry, or to the working container: a dictionary \
      receives the keys that it does not have yet, an array all elements. With -r, arrays and dictionaries \
      that both have are merged in the same way
      $ Merge -r defaults.plist :Settings
      """
    ) { arguments in
      let isRecursive = arguments.take(option: "-r")
      let path = try arguments.next("File required").text
      let entry = arguments.next()
      return .change { try $0.merge(path, into: entry, recursively: isRecursive) }
    },
    .init(
      "Import", operands: .init("entry file"),
      """
      Store the bytes of a file as data in an entry, which is added if it does not exist; an array or a dict \
      is not replaced
      $ Import :Icon icon.png
      """
    ) { arguments in
      let entry = try arguments.next("Entry Required")
      let path = try arguments.next("File required").text
      return .change { try $0.importFile(path, as: entry) }
    },
    .init(
      "Clear", operands: .init("[type]"),
      """
      Replace everything with an empty value of a type, which is dict if left out
      $ Clear array
      """
    ) { arguments in
      let type = try arguments.next().map { try EntryType(named: $0.text) } ?? .dict
      let value = try type.value(nil)
      return .change { $0.clear(value) }
    },
    .init(
      "CD", operands: .init("[entry]"),
      """
      Make a dictionary or an array the working container, where entries without a leading colon start. \
      Without an entry, return to the root
      $ CD :Settings
      """
    ) { arguments in
      let entry = arguments.next()
      return .look { try $0.changeCurrent(entry) }
    },
    .init(
      "Save", operands: .init(""),
      "Write the changes to the file, which is created if it does not exist"
    ) { _ in .request(.save) },
    .init(
      "Revert", operands: .init(""),
      "Discard all changes since the last Save"
    ) { _ in .request(.revert) },
    .init(
      "Exit", aliases: ["quit", "bye"], operands: .init(""),
      "Quit without saving. With -c, it has no effect"
    ) { _ in .request(.exit) },
    .init(
      "Help", aliases: ["?"], operands: .init(""),
      "Print this guide"
    ) { _ in .look { $0.help() } },
  ]
}
