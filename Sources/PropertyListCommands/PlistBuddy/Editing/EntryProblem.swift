/// Why nothing can be done at an entry.
enum EntryProblem: Error, Equatable {
  /// The way leads nowhere.
  case missing
  /// There is a value where a new one shall be.
  case exists
  /// What is there is no container.
  case notAContainer
  /// The way leads into a value that has no parts.
  case notInAContainer
  /// In an array, neither an index nor empty.
  case notAnIndex
  /// An index behind the place of one more element.
  case pastTheEnd
  /// In a dictionary, an empty key, which stands for the end of an array.
  case emptyKey
  /// The root, which is always there.
  case root
  /// Containers within containers beyond the limit.
  case tooDeep(limit: Int)
  /// More values than a document may hold.
  case tooManyValues(limit: Int)
}

extension EntryProblem: CustomStringConvertible {
  /// What is wrong, as it follows the entry's name.
  var description: String {
    switch self {
    case .missing: "Does Not Exist"
    case .exists: "Already Exists"
    case .notAContainer: "Is Not A Container"
    case .notInAContainer: "Is Not In A Container"
    case .notAnIndex: "Is Not An Index Into Its Array"
    case .pastTheEnd: "Is Past The End Of Its Array"
    case .emptyKey: "Needs A Key"
    case .root: "Is The Root"
    case .tooDeep(let limit): "Is Nested Deeper Than \(limit) Levels"
    case .tooManyValues(let limit): "Holds More Than \(limit) Values"
    }
  }
}
