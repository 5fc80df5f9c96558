internal import CommandLineInterface
internal import FileStorage
internal import FoundationEssentials
internal import PropertyList

/// The commands, with as many words as ``EditCommand/count`` allows.
extension PlistEditor {
  /// `Print [entry]`
  func print(_ words: ArraySlice<CommandWord>) throws(CommandFailure) {
    let value = try value(of: entry(words.first), for: "Print")
    guard printing.asXML else {
      do throws(PlistError.Kind) {
        return try TreePrinter.print(value, escapes: printing.toTerminal, to: transcript)
      } catch {
        transcript.print("\n")
        throw CommandFailure("Print: \(error)")
      }
    }
    do throws(PlistError) {
      let data = try Plist.write(value, as: .xml)
      if printing.toTerminal {
        transcript.print(TreePrinter.escaped(String(decoding: data, as: UTF8.self)))
      } else {
        transcript.write(data)
      }
    } catch {
      throw CommandFailure("Print: \(error)")
    }
  }

  /// `Set entry value`
  mutating func set(_ words: ArraySlice<CommandWord>) throws(CommandFailure) {
    let entry = entry(words.first)
    let old = try value(of: entry, for: "Set")
    let value = try EntryType.value(CommandWord.text(of: words.dropFirst()), like: old)
    try replace(entry, with: value, for: "Set")
  }

  /// `Add entry type [value]`
  mutating func add(_ words: ArraySlice<CommandWord>) throws(CommandFailure) {
    let type = try EntryType(named: words[words.startIndex + 1].text)
    let text = words.count > 2 ? CommandWord.text(of: words.dropFirst(2)) : nil
    try insert(try type.value(text), at: entry(words.first), for: "Add")
  }

  /// `Delete entry`
  mutating func delete(_ words: ArraySlice<CommandWord>) throws(CommandFailure) {
    try remove(entry(words.first), for: "Delete")
  }

  /// `Copy entry new-entry`
  mutating func copy(_ words: ArraySlice<CommandWord>) throws(CommandFailure) {
    let value = try value(of: entry(words.first), for: "Copy")
    try insert(value, at: entry(words.last), for: "Copy")
  }

  /// `Clear [type]`
  mutating func clear(_ words: ArraySlice<CommandWord>) throws(CommandFailure) {
    let type = try words.first.map { word throws(CommandFailure) in
      try EntryType(named: word.text)
    }
    reset(to: try (type ?? .dict).value(nil))
  }

  /// `CD [entry]`
  mutating func changeCurrent(_ words: ArraySlice<CommandWord>) throws(CommandFailure) {
    guard let word = words.first else { return current = PlistKeyPath() }
    let entry = entry(word)
    switch try value(of: entry, for: "CD") {
    case .dictionary, .array: current = entry.path
    default: throw CommandFailure("CD", entry, .notAContainer)
    }
  }

  /// `Help`
  func help() {
    for command in EditCommand.all { transcript.print(command.help + "\n") }
  }

  // MARK: Other files

  /// `Import entry file`
  mutating func importFile(_ words: ArraySlice<CommandWord>) throws(CommandFailure) {
    let entry = entry(words.first)
    let data = PlistValue.data(try read(words.last?.text ?? "", for: "Import"))
    switch root[entry.path] {
    case nil: try insert(data, at: entry, for: "Import")
    case .dictionary, .array, .set:
      throw CommandFailure("Import: Cannot Perform Import On Containers")
    default: try replace(entry, with: data, for: "Import")
    }
  }

  /// `Merge file [entry]`
  mutating func merge(_ words: ArraySlice<CommandWord>) throws(CommandFailure) {
    let entry = entry(words.dropFirst().first)
    let target = try value(of: entry, for: "Merge")
    let path = words.first?.text ?? ""
    let data = try read(path, for: "Merge")
    let source: PlistValue
    do throws(CommandFailure) {
      source = try EditedFile.parse(data, of: path).value
    } catch {
      throw CommandFailure("Merge: \(error)")
    }

    let merged: PlistValue
    var skippedKeys: [String] = []
    switch (target, source) {
    case (.dictionary(var dictionary), .dictionary(let entries)):
      for (key, value) in entries {
        if dictionary[key] == nil { dictionary[key] = value } else { skippedKeys.append(key) }
      }
      merged = .dictionary(dictionary)
    case (.array(let elements), .array(let more)):
      merged = .array(elements + more)
    case (.array, .dictionary), (.array, .set), (.dictionary, _), (.set, _):
      throw CommandFailure(
        "Merge: Cannot Merge \(source.kind.withArticle) Into \(target.kind.withArticle)")
    case (.array(let elements), let value):
      merged = .array(elements + [value])
    default:
      throw CommandFailure("Merge", entry, .notAContainer)
    }
    try replace(entry, with: merged, for: "Merge")
    for key in skippedKeys { transcript.note("Merge: \"\(key)\" Entry Already Exists, Skipping") }
  }

  private func read(_ path: String, for command: String) throws(CommandFailure) -> Data {
    do throws(FileSystemError) {
      return try AtomicFile.read(path, limit: PlistLimits().maximumSize)
    } catch {
      throw CommandFailure("\(command): \(path): \(error)")
    }
  }
}
