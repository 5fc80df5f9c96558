/// A command that could not be done.
struct EditFailure: Error, CustomStringConvertible {
  /// What is wrong, in one line.
  let description: String

  init(_ description: String) {
    self.description = description
  }

  /// A command that met a problem at an entry.
  init(_ command: String, _ entry: PlistEntry, _ problem: EntryProblem) {
    let name = "\"\(entry.spelling)\""
    self.init(
      problem == .exists
        ? "\(command): \(name) Entry Already Exists" : "\(command): Entry, \(name), \(problem)")
  }
}
