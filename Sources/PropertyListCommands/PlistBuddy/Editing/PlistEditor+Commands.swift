internal import FileStorage
internal import FoundationEssentials
internal import PropertyList

/// The commands. Their words are as many as ``EditCommand/count`` allows.
extension PlistEditor {
  /// `Print [entry]`
  func print(_ words: ArraySlice<CommandWord>) throws(EditFailure) {
    let value = try value(of: entry(words.first), for: "Print")
    guard printing.asXML else {
      return TreePrinter.print(value, escapes: printing.toTerminal, to: transcript)
    }
    do throws(PlistError) {
      let data = try Plist.write(value, as: .xml)
      if printing.toTerminal {
        transcript.print(TreePrinter.escaped(String(decoding: data, as: UTF8.self)))
      } else {
        transcript.put(data)
      }
    } catch {
      throw EditFailure("Print: \(error)")
    }
  }

  /// `Set entry value`
  mutating func set(_ words: ArraySlice<CommandWord>) throws(EditFailure) {
    let entry = entry(words.first)
    let old = try value(of: entry, for: "Set")
    let value = try EntryType.value(CommandWord.text(of: words.dropFirst()), like: old)
    try change(entry, for: "Set") { (root, path) throws(EntryProblem) in
      try root.replace(at: path, with: value)
    }
  }

  /// `Add entry type [value]`
  mutating func add(_ words: ArraySlice<CommandWord>) throws(EditFailure) {
    let type = try EntryType(named: words[words.startIndex + 1].text)
    let text = words.count > 2 ? CommandWord.text(of: words.dropFirst(2)) : nil
    let value = try type.value(text)
    try insert(value, at: entry(words.first), for: "Add")
  }

  /// `Delete entry`
  mutating func delete(_ words: ArraySlice<CommandWord>) throws(EditFailure) {
    try change(entry(words.first), for: "Delete") { (root, path) throws(EntryProblem) in
      try root.remove(at: path)
    }
  }

  /// `Copy entry new-entry`
  mutating func copy(_ words: ArraySlice<CommandWord>) throws(EditFailure) {
    let value = try value(of: entry(words.first), for: "Copy")
    try insert(value, at: entry(words.last), for: "Copy")
  }

  /// `Clear [type]`
  mutating func clear(_ words: ArraySlice<CommandWord>) throws(EditFailure) {
    let type = try words.first.map { word throws(EditFailure) in try EntryType(named: word.text) }
    revert(to: try (type ?? .dict).value(nil))
  }

  /// `CD [entry]`
  mutating func changeCurrent(_ words: ArraySlice<CommandWord>) throws(EditFailure) {
    guard let word = words.first else { return current = [] }
    let entry = entry(word)
    switch try value(of: entry, for: "CD") {
    case .dictionary, .array: current = entry.components
    default: throw EditFailure("CD", entry, .notAContainer)
    }
  }

  /// `Help`
  func help() {
    for command in EditCommand.all { transcript.print(command.help + "\n") }
  }

  private mutating func insert(
    _ value: PlistValue, at entry: PlistEntry, for command: String
  ) throws(EditFailure) {
    try change(entry, for: command) { (root, path) throws(EntryProblem) in
      try root.insert(value, at: path)
    }
  }

  // MARK: Other files

  /// `Import entry file`
  mutating func importFile(_ words: ArraySlice<CommandWord>) throws(EditFailure) {
    let entry = entry(words.first)
    let data: PlistValue
    do throws(EditFailure) {
      data = .data(try read(words.last?.text ?? ""))
    } catch {
      throw EditFailure("Import: \(error)")
    }
    switch root[entry.path] {
    case nil:
      try insert(data, at: entry, for: "Import")
    case .dictionary, .array, .set:
      throw EditFailure("Import: Cannot Perform Import On Containers")
    default:
      try change(entry, for: "Import") { (root, path) throws(EntryProblem) in
        try root.replace(at: path, with: data)
      }
    }
  }

  /// `Merge file [entry]`
  mutating func merge(_ words: ArraySlice<CommandWord>) throws(EditFailure) {
    let entry = entry(words.dropFirst().first)
    let target = try value(of: entry, for: "Merge")
    let path = words.first?.text ?? ""
    let source: PlistValue
    do throws(EditFailure) {
      source = try EditedFile.read(try read(path), of: path).value
    } catch {
      throw EditFailure("Merge: \(error)")
    }

    let merged: PlistValue
    var skipped: [String] = []
    switch (target, source) {
    case (.dictionary(var dictionary), .dictionary(let entries)):
      for (key, value) in entries {
        if dictionary[key] == nil { dictionary[key] = value } else { skipped.append(key) }
      }
      merged = .dictionary(dictionary)
    case (.array(let elements), .array(let more)):
      merged = .array(elements + more)
    case (.array, .dictionary), (.array, .set), (.dictionary, _), (.set, _):
      throw EditFailure(
        "Merge: Cannot Merge \(source.kind.withArticle) Into \(target.kind.withArticle)")
    case (.array(let elements), let value):
      merged = .array(elements + [value])
    default:
      throw EditFailure("Merge", entry, .notAContainer)
    }
    try change(entry, for: "Merge") { (root, path) throws(EntryProblem) in
      try root.replace(at: path, with: merged)
    }
    for key in skipped { transcript.note("Merge: \"\(key)\" Entry Already Exists, Skipping") }
  }

  private func read(_ path: String) throws(EditFailure) -> Data {
    do throws(FileSystemError) {
      return try AtomicFile.read(path, limit: PlistLimits().maximumSize)
    } catch {
      throw EditFailure("\(path): \(error)")
    }
  }
}
