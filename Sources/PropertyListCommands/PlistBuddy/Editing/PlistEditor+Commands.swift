internal import CommandLineInterface
internal import FileStorage
internal import FoundationEssentials
internal import PropertyList

/// The commands. A word of nil is the working container.
extension PlistEditor {
  /// `Print [entry]`
  func print(_ word: CommandWord?) throws(CommandFailure) {
    let value = try existingEntry(word, for: "Print").value
    guard printing.asXML else {
      do throws(PlistError.Kind) {
        return try TreePrinter.print(value, escapes: printing.toTerminal, to: transcript)
      } catch {
        transcript.print("\n")
        throw CommandFailure("Print: \(error)")
      }
    }
    do throws(PlistError) {
      let output = try EncodedPlist(value, as: .xml)
      if printing.toTerminal {
        transcript.print(TreePrinter.escaped(String(decoding: output.data, as: UTF8.self)))
      } else {
        transcript.write(output.data)
      }
      for warning in output.warnings { transcript.note("Print: warning: \(warning)") }
    } catch {
      throw CommandFailure("Print: \(error)")
    }
  }

  /// `Set entry value`
  mutating func set(_ word: CommandWord, _ text: String) throws {
    let (entry, old) = try existingEntry(word, for: "Set")
    try replace(entry, with: try EntryType.value(text, like: old), for: "Set")
  }

  /// `Add entry type [value]`
  mutating func add(_ value: PlistValue, at word: CommandWord) throws(CommandFailure) {
    try insert(value, at: entry(word), for: "Add")
  }

  /// `Copy entry new-entry`
  mutating func copy(_ source: CommandWord, to target: CommandWord) throws(CommandFailure) {
    let value = try existingEntry(source, for: "Copy").value
    try insert(value, at: entry(target), for: "Copy")
  }

  /// `Delete entry`
  mutating func delete(_ word: CommandWord) throws(CommandFailure) {
    let entry = entry(word)
    guard root[entry.path] != nil else { throw CommandFailure("Delete", entry, .edit(.missing)) }
    try remove(entry, for: "Delete")
  }

  /// `Clear [type]`
  mutating func clear(_ value: PlistValue) {
    transcript.print("Initializing Plist...\n")
    reset(to: value)
  }

  /// `CD [entry]`
  mutating func changeCurrent(_ word: CommandWord?) throws(CommandFailure) {
    guard let word else { return current = PlistKeyPath() }
    let (entry, value) = try existingEntry(word, for: "CD")
    switch value {
    case .dictionary, .array: current = entry.path
    default: throw CommandFailure("CD", entry, .notAContainer)
    }
  }

  /// `Help`
  func help() { transcript.print(PlistBuddyTool.guide) }

  /// `Import entry file`
  mutating func importFile(_ path: String, as word: CommandWord) throws(CommandFailure) {
    let entry = entry(word)
    switch root[entry.path] {
    case .dictionary, .array, .set:
      throw CommandFailure("Import: Specified Entry Must Not Be a Container")
    case let present:
      let data = PlistValue.data(try read(path, for: "Import"))
      if present == nil {
        try insert(data, at: entry, for: "Import")
      } else {
        try replace(entry, with: data, for: "Import")
      }
    }
  }

  /// `Merge [-r] file [entry]`
  mutating func merge(
    _ path: String, into word: CommandWord?, recursively isRecursive: Bool
  ) throws(CommandFailure) {
    let entry = entry(word).existing(in: root)
    guard var target = root[entry.path] else {
      throw CommandFailure("Merge: \"\(entry.spelling)\" Entry Does Not Exist")
    }
    guard target.kind == .dictionary || target.kind == .array else {
      throw CommandFailure("Merge: Specified Entry Must Be a Container")
    }
    let data = try read(path, for: "Merge")
    let source: PlistValue
    do throws(PrintedFailure) {
      source = try EditedFile.parse(data, of: path, options: .forTools).document.value
    } catch {
      throw CommandFailure(error.line, "Merge: \(error.notice)")
    }
    switch (target, source) {
    case (.array, .dictionary): throw CommandFailure("Merge: Can't Add dict Entries to array")
    case (.dictionary, .dictionary), (.array, _): break
    case (.dictionary, let source):
      let kind = source.kind == .array ? "array Entries" : source.kind.withArticle
      throw CommandFailure("Merge: Can't Add \(kind) to dict")
    default: break
    }

    let skippedKeys = target.merge(source, recursively: isRecursive)
    try replace(entry, with: target, for: "Merge")
    for key in skippedKeys {
      let key = printing.toTerminal ? TreePrinter.escaped(key) : key
      transcript.print("Duplicate Entry Was Skipped: \(key)\n")
    }
  }

  private func read(_ path: String, for command: String) throws(CommandFailure) -> Data {
    do throws(FileSystemError) {
      return try AtomicFile.read(path, limit: PlistLimits().maximumSize)
    } catch {
      throw CommandFailure("\(path): \(error)", "\(command): Error Reading File: \(path)")
    }
  }
}

extension PlistValue {
  /// Adds the contents of another value: to a dictionary the keys of another that it lacks, to an
  /// array the elements of another, or a single value. Other values stay as they are.
  ///
  /// - Parameter isRecursive: Whether containers of the same kind that both dictionaries have at a
  ///   key are merged as well.
  /// - Returns: The keys that were skipped because both dictionaries have them.
  mutating func merge(_ other: PlistValue, recursively isRecursive: Bool) -> [String] {
    var skippedKeys: [String] = []
    switch (self, other) {
    case (.dictionary(var dictionary), .dictionary(let entries)):
      for (key, value) in entries {
        guard var present = dictionary[key] else {
          dictionary[key] = value
          continue
        }
        switch (present, value) {
        case (.dictionary, .dictionary) where isRecursive, (.array, .array) where isRecursive:
          skippedKeys += present.merge(value, recursively: true)
          dictionary[key] = present
        default: skippedKeys.append(key)
        }
      }
      self = .dictionary(dictionary)
    case (.array(let elements), .array(let more)): self = .array(elements + more)
    case (.array(let elements), let value): self = .array(elements + [value])
    default: break
    }
    return skippedKeys
  }
}
