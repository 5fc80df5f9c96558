internal import CommandLineInterface
internal import FileStorage
internal import FoundationEssentials
internal import PropertyList

/// A comparison of the property lists in two folders, by their relative paths.
struct FolderComparison {
  let first: InputFile
  let second: InputFile
  /// Whether all files of a checkout are compared.
  let isWhole: Bool

  /// The result of comparing the files at a path.
  private enum Outcome: Sendable {
    case same
    case onlyIn(String)
    case differences([PlistDifference])
    /// The objects for the lines of JSON.
    case objects([PlistDictionary])
    case problems([(file: String, message: String)])
  }

  /// Prints the differences, with a heading for each pair of files, and reports pairs that cannot
  /// be compared.
  func print(isSilent: Bool, isJSON: Bool, in session: Session) {
    let sides = [first, second]
    var pathsOfSides: [Set<ByteKey>] = []
    for side in sides {
      let walk = session.withProgress("listing \(side.name)") {
        FolderWalk(side.operand, isWhole: isWhole)
      }
      for (path, message) in walk.failures { session.report(message, about: path) }
      let prefix = FilePath.joining(side.operand, "")
      pathsOfSides.append(
        Set(
          walk.paths.map { path in
            guard path.utf8.starts(with: prefix.utf8) else { return ByteKey(path) }
            let rest = path.utf8.dropFirst(prefix.utf8.count)
            return ByteKey(String(decoding: rest, as: UTF8.self))
          }))
    }
    let found = pathsOfSides
    let paths = found[0].union(found[1]).map(\.text)
      .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    session.withProgress("comparing \(paths.count) files") {
      ParallelWork.run(paths.count) { index in
        Self.outcome(
          of: paths[index], sides, found.map { $0.contains(ByteKey(paths[index])) },
          isJSON: isJSON)
      } consume: { index, outcome in
        show(outcome, of: paths[index], isSilent: isSilent, in: session)
        session.describeProgress("comparing file \(index + 1) of \(paths.count)")
      }
    }
  }

  private func show(_ outcome: Outcome, of path: String, isSilent: Bool, in session: Session) {
    switch outcome {
    case .same: return
    case .onlyIn(let folder):
      if !isSilent { session.print("Only in \(folder.onOneLine): \(path.onOneLine)\n") }
    case .problems(let problems):
      for (file, message) in problems { session.report(message, about: file) }
      return
    case .differences(let differences):
      guard !isSilent else { break }
      let names = [first, second].map { FilePath.joining($0.operand, path) }
      Plutil.printHeading(names, in: session)
      for difference in differences { session.print(difference) }
    case .objects(let objects):
      if !isSilent { for object in objects { session.print(jsonLine: object) } }
    }
    session.succeed(with: 1)
  }

  private static func outcome(
    of path: String, _ sides: [InputFile], _ exist: [Bool], isJSON: Bool
  ) -> Outcome {
    let files = sides.map { side in
      InputFile(operand: FilePath.joining(side.operand, path), options: side.options)
    }
    var problems: [(file: String, message: String)] = []
    func attempt<Result>(_ file: InputFile, _ body: () throws -> Result) -> Result? {
      do {
        return try body()
      } catch {
        problems.append((file.name, "\(error)"))
        return nil
      }
    }
    let likely = zip(files, exist).map { file, exists in
      exists
        ? attempt(file) { try PropertyListFiles.isLikely(at: file.operand) } ?? true : false
    }
    guard problems.isEmpty else { return .problems(problems) }
    guard likely.contains(true) else { return .same }
    guard exist[0] && exist[1] else {
      let folder = sides[exist[0] ? 0 : 1].operand
      return isJSON
        ? .objects([["file": .string(path), "onlyIn": .string(folder)]]) : .onlyIn(folder)
    }
    let contents = files.compactMap { file in attempt(file) { try file.readData() } }
    guard contents.count == 2 else { return .problems(problems) }
    if contents[0] == contents[1] { return .same }
    let values = zip(files, contents).compactMap { file, data in
      attempt(file) {
        let document = try file.open(data).document
        if document.format == .binary { try document.value.checkExpansion() }
        return document.value
      }
    }
    guard values.count == 2 else { return .problems(problems) }
    if isJSON {
      let changes = PatchChange.changes(from: values[0], to: values[1])
      return changes.isEmpty
        ? .same
        : .objects(
          changes.map { PlistDictionary([("file", .string(path))] + $0.object.map { ($0, $1) }) })
    }
    var differences: [PlistDifference] = []
    PlistTreeComparison.compare(values[0], with: values[1]) { differences.append($0) }
    return differences.isEmpty ? .same : .differences(differences)
  }
}
