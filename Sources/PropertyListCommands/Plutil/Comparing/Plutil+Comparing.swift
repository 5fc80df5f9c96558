internal import CommandLineInterface
internal import FileStorage
internal import PropertyList

/// `-diff`
extension Plutil {
  /// Prints the differences of two property lists, or of those in two folders. The exit status is
  /// that of `diff`: 1 if they differ, and 2 if the comparison fails.
  static func compare(_ invocation: Invocation, in session: Session) throws(UsageError) {
    session.failureStatus = troubleStatus
    var inputs = try InputFile.all(of: invocation)
    let silent = invocation.has(Option.silent)
    let isJSON = invocation.has(Option.json)
    let labels = invocation.arguments(of: Option.label)
    guard labels.count <= 2 else {
      throw UsageError("-diff takes two --label, not \(labels.count)")
    }
    guard !isJSON || labels.isEmpty else {
      throw UsageError("--label and --json cannot be used together")
    }
    let areFolders = inputs.map {
      !$0.isStandardInput && FolderListing.kind(of: $0.operand) == .folder
    }
    switch (areFolders[0], areFolders[1]) {
    case (true, true):
      let isWhole = invocation.has(Option.allFiles)
      return FolderComparison(first: inputs[0], second: inputs[1], isWhole: isWhole)
        .print(isSilent: silent, isJSON: isJSON, in: session)
    case (true, false): inputs[0] = try inputs[0].file(like: inputs[1])
    case (false, true): inputs[1] = try inputs[1].file(like: inputs[0])
    case (false, false): break
    }
    compareFiles(inputs, named: labels, isSilent: silent, isJSON: isJSON, in: session)
  }

  private static func compareFiles(
    _ inputs: [InputFile], named labels: [String], isSilent: Bool, isJSON: Bool,
    in session: Session
  ) {
    var values: [PlistValue?] = []
    for input in inputs {
      // The name that git passes where there is no file.
      guard input.operand != "/dev/null" else {
        values.append(nil)
        continue
      }
      guard let document = input.read(in: session, isSilent: isSilent) else { return }
      if document.format == .binary {
        do throws(PlistError) {
          try document.value.checkExpansion()
        } catch {
          return session.report("\(error)", about: input.name)
        }
      }
      values.append(document.value)
    }
    if isJSON, !isSilent {
      let changes = PatchChange.changes(from: values[0], to: values[1])
      for change in changes { session.print(jsonLine: change.object) }
      if !changes.isEmpty { session.succeed(with: 1) }
      return
    }
    var differ = false
    PlistTreeComparison.compare(values[0], with: values[1]) { difference in
      if !isSilent {
        if !differ {
          printHeading(labels + inputs.dropFirst(labels.count).map(\.name), in: session)
        }
        session.print(difference)
      }
      differ = true
    }
    if differ { session.succeed(with: 1) }
  }

  /// Prints the lines before the differences of two files.
  static func printHeading(_ names: [String], in session: Session) {
    for (sign, name) in zip(["---", "+++"], names) {
      session.print("\(sign) \(name.onOneLine)", in: .heading)
      session.print("\n")
    }
  }
}

extension InputFile {
  /// The file in this folder that has the name of another file.
  fileprivate func file(like other: InputFile) throws(UsageError) -> InputFile {
    guard !other.isStandardInput else {
      throw UsageError("standard input cannot be compared with a folder")
    }
    return InputFile(
      operand: FilePath.joining(operand, PropertyListDetection.name(of: other.operand)),
      options: options)
  }
}
