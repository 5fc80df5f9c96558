internal import CommandLineInterface
internal import FileStorage
internal import FoundationEssentials
package import PropertyList

/// A property list that commands edit.
package struct PlistEditor {
  package var root: PlistValue
  /// The path of the working container. Entries without a leading colon are relative to it.
  var current = PlistKeyPath()
  /// Whether a command has changed the value, even if another command has changed it back.
  private(set) var isEdited = false
  /// The output and errors of the commands.
  let transcript: Transcript
  let printing: Printing

  package struct Printing: Sendable {
    package var asXML: Bool
    /// Whether output goes to a terminal, which must not receive control characters.
    package var toTerminal: Bool

    package init(asXML: Bool, toTerminal: Bool) {
      (self.asXML, self.toTerminal) = (asXML, toTerminal)
    }
  }

  /// A command for the caller.
  package enum Request: Sendable {
    case save, revert, exit
  }

  package init(_ root: PlistValue, printing: Printing, transcript: Transcript) {
    (self.root, self.printing, self.transcript) = (root, printing, transcript)
  }

  /// Parses and runs a command, or reports why it fails; returns a request for the caller.
  package mutating func perform(_ line: String) -> Request? {
    do {
      return perform(try EditAction(parsing: line))
    } catch {
      transcript.report(error)
      return nil
    }
  }

  /// Runs a command, or reports why it fails; returns a request for the caller.
  ///
  /// - Parameter name: The name of the command if it is one of several. It is printed after a
  ///   failure that does not name the entry.
  mutating func perform(_ action: EditAction, named name: BatchRun.CommandName? = nil) -> Request? {
    do {
      switch action {
      case .request(let request): return request
      case .look(let body): try body(&self)
      case .change(let body):
        try body(&self)
        isEdited = true
      }
    } catch {
      transcript.report(error)
      if let name, !"\(error)".contains("\":") { transcript.note("PlistBuddy: \(name) failed") }
    }
    return nil
  }

  /// Replaces the edited value with an unedited one, and makes the root the working container.
  package mutating func reset(to value: PlistValue) {
    root = value
    current = PlistKeyPath()
    isEdited = false
  }

  /// The entry of a word, which need not exist; nil is the working container.
  func entry(_ word: CommandWord?) -> PlistEntry { PlistEntry(word, from: current) }

  /// The entry of a word and its value; nil is the working container.
  func existingEntry(
    _ word: CommandWord?, for command: String
  ) throws(CommandFailure) -> (entry: PlistEntry, value: PlistValue) {
    let entry = entry(word).existing(in: root)
    guard let value = root[entry.path] else {
      throw CommandFailure(command, entry, .edit(.missing))
    }
    return (entry, value)
  }

  mutating func insert(
    _ value: PlistValue, at entry: PlistEntry, for command: String
  ) throws(CommandFailure) {
    let place: PlistKeyPath
    do throws(EntryError) {
      place = try root.insert(value, atEntry: entry.path)
    } catch {
      throw CommandFailure(command, entry, error)
    }
    current.moveElements(from: place, by: 1, in: root)
  }

  mutating func replace(
    _ entry: PlistEntry, with value: PlistValue, for command: String
  ) throws(CommandFailure) {
    do throws(EntryError) {
      try value.checkLimits(at: entry.path)
    } catch {
      throw CommandFailure(command, entry, error)
    }
    do { try root.replace(at: entry.path, with: value) } catch {
      throw CommandFailure(command, entry, .edit(error.kind))
    }
  }

  /// Removes the value of an entry. If the working container was in it, the root becomes the
  /// working container.
  mutating func remove(_ entry: PlistEntry, for command: String) throws(CommandFailure) {
    do { try root.remove(at: entry.path) } catch {
      throw CommandFailure(command, entry, .edit(error.kind))
    }
    if current.components.starts(with: entry.path.components) {
      transcript.print("Working Container has become Invalid.  Setting to :\n")
      current = PlistKeyPath()
    } else {
      current.moveElements(from: entry.path, by: -1, in: root)
    }
  }
}

extension PlistKeyPath {
  /// Follows a container whose index changes because an element at a place before it was inserted
  /// or removed.
  fileprivate mutating func moveElements(
    from place: PlistKeyPath, by step: Int, in root: PlistValue
  ) {
    let depth = place.components.count - 1
    guard depth >= 0, components.count > depth,
      components.prefix(depth).elementsEqual(place.components.prefix(depth)),
      case .array? = root[PlistKeyPath(components: Array(components.prefix(depth)))],
      let index = Int(components[depth]), let moved = Int(place.components[depth]), index >= moved
    else { return }
    var components = components
    components[depth] = String(index + step)
    self = PlistKeyPath(components: components)
  }
}

/// The commands. A word of nil is the working container.
extension PlistEditor {
  /// `Print [entry]`
  func print(_ word: CommandWord?) throws(CommandFailure) {
    let value = try existingEntry(word, for: "Print").value
    guard printing.asXML else {
      do throws(PlistError.Kind) {
        return try PlistBuddyPrinter.print(value, escapes: printing.toTerminal, to: transcript)
      } catch {
        transcript.print("\n")
        throw CommandFailure("Print: \(error)")
      }
    }
    do throws(PlistError) {
      let output = try EncodedPlist(value, as: .xml)
      if printing.toTerminal {
        transcript.print(PlistBuddyPrinter.escaped(String(decoding: output.data, as: UTF8.self)))
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
      let key = printing.toTerminal ? PlistBuddyPrinter.escaped(key) : key
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
  /// Adds the contents of another value: a dictionary gets the keys that it lacks, and an array
  /// gets the elements of another array, or a single value. Other values are unchanged.
  ///
  /// - Parameter isRecursive: Whether containers of the same kind under the same key of both
  ///   dictionaries are also merged.
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
