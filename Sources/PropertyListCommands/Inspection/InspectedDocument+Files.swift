internal import CommandLineInterface
internal import FoundationEssentials
internal import InspectionPage
internal import Manifests
internal import PropertyList

extension InspectedDocument {
  /// A file with its values, or with its bytes and the error if it is not a valid property list.
  ///
  /// - Parameters:
  ///   - measures: Whether the sizes of values are measured.
  ///   - manifests: The manifests that may describe the file. Values that they mark as sensitive
  ///     are left out.
  /// - Throws: An error for a file that cannot be read.
  init(
    _ file: InputFile, measures: Bool, _ manifests: InstalledManifests
  ) throws(InputProblem) {
    let data: Data
    do {
      data = try file.readData()
    } catch {
      throw .file("\(error)")
    }
    do throws(DocumentError) {
      self.init(try file.open(data), of: file, measures: measures, manifests)
    } catch {
      self.init(error, of: file, data)
    }
  }

  private init(_ error: DocumentError, of file: InputFile, _ data: Data) {
    let opened = try? PlistEnvelope.open(data)
    let contents = opened?.contents ?? data
    var facts: [Fact] = []
    if let envelope = opened?.envelope { facts.append(("note", "\(envelope)")) }
    facts.append(("seems to be", "not a valid property list"))
    facts.append(("size", "\(contents.count) bytes"))
    self.init(.file, name: file.name, summary: "not a valid property list", facts: facts)
    add(
      error.error, remedy: error.remedy(for: "plutil"), in: contents,
      encoding: file.options.encoding)
    problem = "\(error)"
  }

  private init(
    _ input: InputDocument, of file: InputFile, measures: Bool, _ manifests: InstalledManifests
  ) {
    let document = input.document
    let summary: DocumentSummary
    do throws(PlistError) {
      summary = try DocumentSummary(
        of: input, from: file, measures: measures, manifests: manifests)
    } catch {
      self.init(.file, name: file.name, facts: [])
      add(error: "\(error)")
      return
    }
    self.init(
      .file, name: file.name, summary: summary.role.map { "\($0)" } ?? summary.format.title,
      facts: Plutil.facts(of: summary))
    add(document.warnings)
    var value = document.value
    if case .success(let file)? = summary.manifest, case .dictionary(let root) = value {
      let shown = file.manifest.hidingSecrets(in: root)
      add(file.manifest, of: shown)
      value = .dictionary(shown)
    }
    // The bytes would show the secret values.
    let hidesBytes = value != document.value
    let map = document.format == .binary && !hidesBytes ? BinaryLayout(input.contents) : nil
    var tree = InspectedTree()
    tree.add(value, lines: document.lines, map: map)
    add(tree)
    if let archive = ArchivedObjects(document.value) { add(graph: InspectedTree(archive)) }
    if let map { add(map, of: input.contents) }
  }

  /// A comparison of two files.
  init(
    comparing first: (file: InputFile, document: PlistDocument),
    with second: (file: InputFile, document: PlistDocument)
  ) {
    let (tree, count) = InspectedTree.comparing(first.document.value, with: second.document.value)
    self.init(
      .comparison, name: "\(first.file.name) – \(second.file.name)",
      summary: count == 0
        ? "the same values" : count.counted("difference"),
      facts: [
        ("first file", "\(first.file.name), \(first.document.format.title)"),
        ("second file", "\(second.file.name), \(second.document.format.title)"),
        ("differences", "\(count)"),
      ])
    names = [first.file.name, second.file.name]
    add(tree)
  }
}
