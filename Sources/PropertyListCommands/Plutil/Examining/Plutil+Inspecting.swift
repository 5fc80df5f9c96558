internal import CommandLineInterface
internal import FileStorage
internal import FoundationEssentials
internal import Glibc
internal import InspectionPage
internal import PropertyList

/// `-inspect`
extension Plutil {
  /// Writes a page that shows files, the property lists in folders, or the differences of two
  /// files.
  static func inspect(_ invocation: Invocation, in session: Session) throws(UsageError) {
    let place = OutputPlace(ofPage: invocation.argument(of: .output))
    let comparison = invocation.has(.comparing) ? try comparedFiles(invocation) : nil
    let list = try InputList(of: invocation, in: session, recordsLines: true)
    try checkOutput(place, isNoneOf: list)
    guard place.checkIsFree(in: session) else { return }
    let isSilent = invocation.has(.silent)
    let page =
      comparison.map { compared($0, isSilent: isSilent, in: session) }
      ?? page(of: list, title: title(of: invocation), isSilent: isSilent, in: session)
    if let page { place.write(page: page.html(), isSilent: isSilent, in: session) }
  }

  /// Refuses a page that would replace a file that it shows. Other files in the folders may be
  /// replaced, such as an earlier page.
  private static func checkOutput(
    _ place: OutputPlace, isNoneOf list: InputList
  ) throws(UsageError) {
    guard let path = place.path, access(path, F_OK) == 0 else { return }
    let shown = list.items.lazy.filter { item in
      !item.input.isStandardInput
        && (!item.isFound || (try? PropertyListFiles.isLikely(at: item.input.operand)) != false)
    }
    try place.check(replacesNoneOf: shown.map(\.input.operand))
  }

  private static func title(of invocation: Invocation) -> String {
    let names = invocation.operands.map { $0 == "-" ? "<stdin>" : $0 }
    return names.count == 1 ? names[0] : "\(names.count) files and folders"
  }

  /// The page of all files; nil if none can be read.
  private static func page(
    of list: InputList, title: String, isSilent: Bool, in session: Session
  ) -> InspectionPage? {
    var page = InspectionPage(title: title, opensOnSummary: list.hasFolders)
    let measures = !list.hasFolders
    let manifests = InstalledManifests()
    list.forEach("reading", in: session) { file throws(InputProblem) in
      try InspectedDocument(file, measures: measures, manifests)
    } consume: { item, result in
      switch result {
      case .failure(let error): session.report("\(error)", about: item.input.name)
      case .success(let document):
        if let problem = document.problem, !isSilent {
          session.warn(problem, about: item.input.name)
        }
        add(document, to: &page, in: session)
      }
    }
    if page.count == 0, list.hasFolders { session.report("no property lists found", about: title) }
    return page.count == 0 ? nil : page
  }

  private static func add(
    _ document: InspectedDocument, to page: inout InspectionPage, in session: Session
  ) {
    guard !page.add(document) else { return }
    session.report(
      "left out because the page would be larger than \(page.maximumSize >> 20) MiB",
      about: document.name)
  }

  private static func comparedFiles(_ invocation: Invocation) throws(UsageError) -> [InputFile] {
    let inputs = try InputFile.all(of: invocation)
    guard inputs.count == 2 else {
      throw UsageError("--compare needs two files; found \(inputs.count)")
    }
    for input in inputs
    where !input.isStandardInput && FolderListing.kind(of: input.operand) == .folder {
      throw UsageError("--compare needs two files; \(input.name) is a folder")
    }
    return inputs
  }

  /// The page of a comparison; nil if a file cannot be read.
  private static func compared(
    _ inputs: [InputFile], isSilent: Bool, in session: Session
  ) -> InspectionPage? {
    var documents: [PlistDocument] = []
    for input in inputs {
      guard let document = input.readExpandable(in: session, isSilent: isSilent) else {
        return nil
      }
      documents.append(document)
    }
    let document = InspectedDocument(
      comparing: (inputs[0], documents[0]), with: (inputs[1], documents[1]))
    var page = InspectionPage(title: document.name)
    add(document, to: &page, in: session)
    return page
  }
}
