internal import CommandLineInterface
internal import FileStorage
internal import Manifests
internal import PropertyList

/// The manifests that `--manifest` names, by their domains.
struct ManifestLibrary: Sendable {
  /// The problems of the manifests that are named as files, with the files' names. Manifests in
  /// folders are checked as property lists.
  private(set) var problems: [(file: String, problem: FileProblem)] = []
  private var entries: [ByteKey: ManifestFile] = [:]
  /// The manifest if the command line names a single one.
  private var only: ManifestFile?

  /// Whether the command line names no manifest.
  var isEmpty: Bool { entries.isEmpty }

  /// Reads the manifests; nil after a report that one cannot be read.
  init?(of invocation: Invocation, in session: Session) throws(UsageError) {
    let paths = invocation.arguments(of: .manifest)
    guard paths.count(where: { $0 == "-" }) + invocation.operands.count(where: { $0 == "-" }) < 2
    else { throw UsageError("standard input can only be read once") }
    var isComplete = true
    for path in paths {
      var input = InputFile(operand: path)
      input.options = PlistReadOptions(of: invocation)
      if path != "-", FolderListing.kind(of: path) == .folder {
        isComplete = add(folder: path, in: session) && isComplete
      } else {
        isComplete = add(file: input, isOnly: paths.count == 1, in: session) && isComplete
      }
    }
    guard isComplete else { return nil }
  }

  func manifest(forDomain domain: String) -> ManifestFile? { entries[ByteKey(domain)] }

  /// The manifest for a file, which is named after its domain.
  ///
  /// - Parameter isNamed: Whether the command line names the file. If it also names a single
  ///   manifest, that manifest is used.
  func manifest(for file: InputFile, isNamed: Bool) -> ManifestFile? {
    if isNamed, let only { return only }
    guard !file.isStandardInput else { return nil }
    let name = FilePath.split(file.operand).name
    let domain = FilePath.splitExtension(of: name).stem
    return manifest(forDomain: domain) ?? manifest(forDomain: name)
  }

  /// Adds a manifest, or reports why it cannot be read.
  private mutating func add(file: InputFile, isOnly: Bool, in session: Session) -> Bool {
    guard let input = file.load(in: session) else { return false }
    let value = input.document.value
    guard
      let manifest = session.reporting(about: file.name, { try PreferencesManifest(value) })
    else { return false }
    let entry = ManifestFile(manifest, at: file.name)
    add(entry)
    if isOnly { only = entry }
    let found = PreferencesManifest.problems(in: value)
    guard !found.isEmpty else { return true }
    let lines = DocumentLines(of: input, options: file.options)
    problems += found.map { (file.name, FileProblem($0, line: lines.line(at: $0.keyPath))) }
    return true
  }

  /// Adds the manifests in a folder and its subfolders, or reports one that cannot be read.
  private mutating func add(folder: String, in session: Session) -> Bool {
    let walk = session.withProgress("listing \(folder)") { FolderWalk(folder, isWhole: true) }
    for (path, message) in walk.failures { session.report(message, about: path) }
    var isComplete = walk.failures.isEmpty
    for path in walk.paths {
      let input = InputFile(operand: path)
      do throws(InputProblem) {
        let ending = FilePath.fileExtension(of: path)
        let isLikely = try PropertyListFiles.isLikely(at: path)
        guard isLikely || ending == "manifest" else { continue }
        let value = try input.load().document.value
        if PreferencesManifest.isManifest(value), let manifest = try? PreferencesManifest(value) {
          add(ManifestFile(manifest, at: path))
        }
      } catch {
        session.report("\(error)", about: path)
        isComplete = false
      }
    }
    if isComplete, entries.isEmpty {
      session.report("there is no preference manifest in this folder", about: folder)
      return false
    }
    return isComplete
  }

  private mutating func add(_ entry: ManifestFile) {
    let domain = ByteKey(entry.manifest.domain)
    if entries[domain] == nil { entries[domain] = entry }
  }
}
