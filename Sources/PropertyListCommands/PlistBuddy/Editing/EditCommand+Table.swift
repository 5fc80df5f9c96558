extension EditCommand {
  /// All commands, in the order of the help.
  static let all: [EditCommand] = [
    EditCommand(
      "Print", aliases: ["ls"], "[entry]",
      "Print the value of an entry, or of the working container",
      example: "Print :CFBundleVersion"
    ) { arguments in
      let entry = arguments.next()
      return .look { try $0.print(entry) }
    },
    EditCommand(
      "Set", aliases: ["="], "entry value",
      "Give an entry, which must exist and be no container, a new value of the same type",
      example: "Set :CFBundleVersion 1.2"
    ) { arguments in
      let entry = try arguments.next("Entry Required")
      let value = arguments.rest() ?? ""
      return .change { try $0.set(entry, value) }
    },
    EditCommand(
      "Add", aliases: ["+"], "entry type [value]",
      "Create an entry of a type, and any dictionaries that are missing on the way to it. In an "
        + "array, insert it at its index, or append it if the index is left out",
      example: "Add :Tags: string new"
    ) { arguments in
      let entry = try arguments.next("Entry Required")
      let type = try EntryType(named: try arguments.next("Type Required").text)
      let value = try type.value(arguments.rest())
      return .change { try $0.add(value, at: entry) }
    },
    EditCommand(
      "Copy", aliases: ["cp"], "entry new-entry",
      "Create a new entry with the value of another; containers are copied whole",
      example: "Copy :Tags:0 :FirstTag"
    ) { arguments in
      let source = try arguments.next("Entry Required")
      let target = try arguments.next("Two Entries Required")
      return .change { try $0.copy(source, to: target) }
    },
    EditCommand(
      "Delete", aliases: ["remove", "rm", "-"], "entry [type]",
      "Remove an entry and everything in it; the type is not checked",
      example: "Delete :Tags:0"
    ) { arguments in
      let entry = try arguments.next("Entry Required")
      // Apple's manual page has an example with a type, which means nothing.
      if let type = arguments.next() { _ = try EntryType(named: type.text) }
      return .change { try $0.delete(entry) }
    },
    EditCommand(
      "Merge", "[-r] file [entry]",
      "Add the contents of another property list to an entry, or to the working container: to a "
        + "dictionary the keys that it lacks, to an array all elements, or a single value. With "
        + "-r, containers that both have are merged as well",
      example: "Merge -r defaults.plist :Settings"
    ) { arguments in
      let isRecursive = arguments.take(option: "-r")
      let path = try arguments.next("File required").text
      let entry = arguments.next()
      return .change { try $0.merge(path, into: entry, recursively: isRecursive) }
    },
    EditCommand(
      "Import", "entry file",
      "Store the bytes of a file as data in an entry, which is created or, unless it is a "
        + "container, replaced",
      example: "Import :Icon icon.png"
    ) { arguments in
      let entry = try arguments.next("Entry Required")
      let path = try arguments.next("File required").text
      return .change { try $0.importFile(path, as: entry) }
    },
    EditCommand(
      "Clear", "[type]",
      "Replace everything with an empty value of a type; dict if none is given",
      example: "Clear array"
    ) { arguments in
      let type = try arguments.next().map { try EntryType(named: $0.text) } ?? .dict
      let value = try type.value(nil)
      return .change { $0.clear(value) }
    },
    EditCommand(
      "CD", "[entry]",
      "Make a dictionary or an array the working container, from which entries without a leading "
        + "colon start; the root if none is given",
      example: "CD :Settings"
    ) { arguments in
      let entry = arguments.next()
      return .look { try $0.changeCurrent(entry) }
    },
    EditCommand(
      "Save", "", "Write the changes to the file, which is created if it does not exist"
    ) { _ in .request(.save) },
    EditCommand(
      "Revert", "", "Discard all changes since the last Save"
    ) { _ in .request(.revert) },
    EditCommand(
      "Exit", aliases: ["quit", "bye"], "",
      "Leave without saving. Among the commands of -c, it has no effect"
    ) { _ in .request(.exit) },
    EditCommand(
      "Help", aliases: ["?"], "", "Print this guide"
    ) { _ in .look { $0.help() } },
  ]
}
