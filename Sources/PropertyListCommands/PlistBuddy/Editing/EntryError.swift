internal import CommandLineInterface
internal import PropertyList

/// The reason why a command fails at an entry.
enum EntryError: Error {
  /// The edit is not possible.
  case edit(PlistEditError.Kind)
  /// The entry is neither a dictionary nor an array.
  case notAContainer
  /// The key is empty. An empty component denotes the end of an array only.
  case emptyKey
  /// Containers would be nested too deeply.
  case tooDeep(limit: Int)
  /// The value holds more values than a document may.
  case tooManyValues(limit: Int)
}

extension CommandFailure {
  /// The failure of a command at an entry.
  init(_ command: String, _ entry: PlistEntry, _ error: EntryError) {
    let name = "\"\(entry.spelling)\""
    let problem =
      switch error {
      case .edit(.missing): "Entry, \(name), Does Not Exist"
      case .edit(.alreadyExists): "\(name) Entry Already Exists"
      case .edit(.notAContainer), .edit(.notAnArray): "Can't Add Entry, \(name), to Parent"
      case .edit(.notAnIndex): "Entry, \(name), Is Not an Array Index"
      case .edit(.root): "Entry, \(name), Is the Root; Use Clear to Empty It"
      case .edit(.unwritable(let kind)): "Entry, \(name), Cannot Be Written: \(kind)"
      case .notAContainer: "Entry, \(name), Is Not A Container"
      case .emptyKey: "Entry, \(name), Has No Key After Its Last Colon"
      case .tooDeep(let limit): "Entry, \(name), Would Be Nested Deeper Than \(limit) Levels"
      case .tooManyValues(let limit): "Entry, \(name), Would Contain More Than \(limit) Values"
      }
    self.init("\(command): \(problem)")
  }
}
