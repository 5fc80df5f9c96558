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
    let problem =
      switch error {
      case .edit(.missing): "Does Not Exist"
      case .edit(.alreadyExists): "Entry Already Exists"
      case .edit(.notAContainer), .edit(.notAnArray): "Is Not In A Container"
      case .edit(.notAnIndex(let component, _)):
        component.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
          ? "Is Past The End Of Its Array" : "Is Not An Index Into Its Array"
      case .edit(.root): "Is The Root"
      case .notAContainer: "Is Not A Container"
      case .emptyKey: "Needs A Key"
      case .tooDeep(let limit): "Is Nested Deeper Than \(limit) Levels"
      case .tooManyValues(let limit): "Holds More Than \(limit) Values"
      }
    let name = "\"\(entry.spelling)\""
    if case .edit(.alreadyExists) = error {
      self.init("\(command): \(name) \(problem)")
    } else {
      self.init("\(command): Entry, \(name), \(problem)")
    }
  }
}
