extension EditCommand {
  /// All commands, in the order of the help.
  static let all: [EditCommand] = [
    EditCommand(
      "Print", "[entry]", 0...1, "Show an entry, or the current one",
      .look { try $0.print($1) }),
    EditCommand(
      "Set", "entry value", 1...Int.max,
      "Give a value that exists and has no parts another one of its own type",
      .change { try $0.set($1) }),
    EditCommand(
      "Add", "entry type [value]", 2...Int.max,
      "Make a new entry, and dictionaries on the way to it where there are none; in an array it is "
        + "inserted at its index, or behind the last element where its last part is empty",
      .change { try $0.add($1) }),
    EditCommand(
      "Delete", "entry", 1...1, "Remove an entry",
      .change { try $0.delete($1) }),
    EditCommand(
      "Copy", "entry new-entry", 2...2, "Make a new entry of what another one holds",
      .change { try $0.copy($1) }),
    EditCommand(
      "Merge", "file [entry]", 1...2,
      "Add what a property list holds to an entry, or to the current one: the keys of a dictionary "
        + "that are not there yet, the elements of an array, or one value to an array",
      .change { try $0.merge($1) }),
    EditCommand(
      "Import", "entry file", 2...2,
      "Make an entry, new or in the place of a value without parts, of the bytes of a file",
      .change { try $0.importFile($1) }),
    EditCommand(
      "Clear", "[type]", 0...1, "Replace everything by an empty value of a type, dict unless given",
      .change { try $0.clear($1) }),
    EditCommand(
      "CD", "[entry]", 0...1,
      "Make an entry, or the root, the current one, from which entries without a colon before them "
        + "lead",
      .look { try $0.changeCurrent($1) }),
    EditCommand("Save", "", 0...0, "Write the changes to the file", .request(.save)),
    EditCommand(
      "Revert", "", 0...0, "Go back to what was last saved", .request(.revert)),
    EditCommand(
      "Exit", "", 0...0, "End; what was changed since the last Save is lost", .request(.exit)),
    EditCommand(
      "Help", "", 0...0, "Show this list",
      .look { editor, _ in editor.help() }),
  ]
}
