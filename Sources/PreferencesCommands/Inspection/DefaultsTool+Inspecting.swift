internal import CommandLineInterface
internal import Glibc
internal import InspectionPage
internal import Preferences
internal import PropertyList

/// `inspect`
extension DefaultsTool {
  /// Makes a page about a domain, or about all of the user's.
  func inspect(_ domain: DomainArgument?) throws {
    for (option, name) in [(CommandLineTool.Option.output, "a file"), (.copies, "a folder")]
    where invocation.argument(of: option) == "" {
      throw UsageError("\(option.name) needs \(name)")
    }
    let place = OutputPlace(ofPage: invocation.argument(of: .output))
    try place.checkIsNoPropertyList()
    guard place.checkIsFree(in: session) else { return }
    let inspected = try domain.map { [$0] } ?? allInspectedDomains()
    var page = InspectionPage(title: domain.map { "Preferences of \($0.name)" } ?? "Preferences")
    for domain in inspected {
      let store = try searchedStore(of: domain)
      try place.check(replacesNoneOf: store.layerContents.compactMap(\.layer.path))
      let document = InspectedDocument(
        domain.name, store, copies: invocation.argument(of: .copies), readableManifest(of: domain))
      if !page.add(document) {
        session.report(
          "left out because the page would be larger than \(page.maximumSize >> 20) MiB",
          about: domain.name)
      }
    }
    place.write(page: page.html(), in: session)
  }

  /// The domains with files, and the global one first.
  private func allInspectedDomains() throws(CommandFailure) -> [DomainArgument] {
    try ([PreferencesStore.globalDomain] + listedNames()).map { DomainArgument(name: $0) }
  }
}

/// A page does not replace preferences.
extension OutputPlace {
  /// Refuses a property list, and a link that may lead into a folder of preferences.
  func checkIsNoPropertyList() throws {
    guard let path else { return }
    if Self.canonicalPath(of: path).text.utf8.reversed().starts(with: ".plist".utf8.reversed()) {
      throw UsageError("\(path) is a property list, which a page does not replace")
    }
    var information = stat()
    if case .file = self, lstat(path, &information) == 0,
      information.st_mode & S_IFMT == S_IFLNK, stat(path, &information) != 0
    {
      throw CommandFailure("\(path): a symbolic link that leads nowhere; expected a file")
    }
  }
}
