internal import CommandLineInterface
internal import FileStorage
internal import FoundationEssentials
internal import PropertyList

/// `-diff`
extension Plutil {
  /// Prints the differences of two property lists, or of the property lists in two folders. The
  /// exit status is like `diff`'s: 1 if they differ, and 2 if the comparison fails.
  static func compare(_ invocation: Invocation, in session: Session) throws(UsageError) {
    session.failureStatus = troubleStatus
    var inputs = try InputFile.all(of: invocation)
    let silent = invocation.has(.silent)
    let isJSON = invocation.has(.json)
    let labels = invocation.arguments(of: .label)
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
      let isWhole = invocation.has(.allFiles)
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
      // The name that git passes for a missing file.
      guard input.operand != "/dev/null" else {
        values.append(nil)
        continue
      }
      guard let document = input.readExpandable(in: session, isSilent: isSilent) else { return }
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

  static func printHeading(_ names: [String], in session: Session) {
    for (sign, name) in zip(["---", "+++"], names) {
      session.print("\(sign) \(name.onOneLine)", in: .heading)
      session.print("\n")
    }
  }
}

extension InputFile {
  /// Reads a property list whose values are all visited, or reports why it cannot.
  func readExpandable(in session: Session, isSilent: Bool) -> PlistDocument? {
    guard let document = read(in: session, isSilent: isSilent) else { return nil }
    return session.reporting(about: name) {
      if document.format == .binary { try document.value.checkExpansion() }
      return document
    }
  }

  /// The file in this folder that has the name of another file.
  fileprivate func file(like other: InputFile) throws(UsageError) -> InputFile {
    guard !other.isStandardInput else {
      throw UsageError("standard input cannot be compared with a folder")
    }
    return InputFile(
      operand: FilePath.joining(operand, FilePath.split(other.operand).name),
      options: options)
  }
}

/// `-textconv`
extension Plutil {
  static func convertToText(_ invocation: Invocation, in session: Session) throws(UsageError) {
    let file = try InputFile.all(of: invocation)[0]
    guard let data = file.readData(in: session) else { return }
    guard let input = try? file.open(data),
      let text = text(of: input, encoding: file.options.encoding)
    else { return session.write(data) }
    let document = input.document
    let encoding = document.encodingName(in: input.contents, encoding: file.options.encoding)
    session.print("format: \(document.format.title)\(encoding.map { ", \($0)" } ?? "")\n")
    if let envelope = input.envelope { session.print("note: \(envelope)\n") }
    session.write(text)
  }

  /// A text unchanged, in UTF-8, and a binary property list in XML, or in JSON if XML has no type
  /// for some values; nil if it expands too far.
  private static func text(of input: InputDocument, encoding: String?) -> Data? {
    let document = input.document
    guard document.format == .binary else {
      let text = DocumentText(input.contents, encoding: encoding).data
      let mark = Data("\u{FEFF}".utf8)
      return text.starts(with: mark) ? Data(text.dropFirst(mark.count)) : text
    }
    if let xml = try? EncodedPlist(document.value, as: .xml) { return xml.data }
    guard (try? document.value.checkExpansion()) != nil else { return nil }
    return (try? jsonText(of: TypedJSON.encode(document.value))).map { Data($0.utf8) }
  }
}
