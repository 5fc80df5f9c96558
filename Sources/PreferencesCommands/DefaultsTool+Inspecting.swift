internal import CommandLineInterface
internal import InspectionPage
internal import Preferences
internal import PropertyList

/// `inspect`
extension DefaultsTool {
  /// The words after `inspect`.
  struct InspectionArguments {
    /// The words that name the domain; empty for all domains.
    var domain: ArraySlice<String> = []
    /// The file that the page is written to; nil if it is not named.
    var output: String?
    /// The folder of an application's copies of the last good contents; nil if it is not named.
    var copies: String?

    /// The options.
    static let options = ["-o", "-copies"]

    init(_ words: [String]) throws(UsageError) {
      var rest = words[...]
      while let word = rest.popFirst() {
        switch word {
        case "-o": output = try Self.take("a file", after: word, from: &rest, unless: output)
        case "-copies": copies = try Self.take("a folder", after: word, from: &rest, unless: copies)
        case "-app", "--":
          domain.append(word)
          if let name = rest.popFirst() { domain.append(name) }
        default: domain.append(word)
        }
      }
    }

    private static func take(
      _ what: String, after option: String, from rest: inout ArraySlice<String>,
      unless given: String?
    ) throws(UsageError) -> String {
      guard given == nil else { throw UsageError("\(option) was given twice") }
      guard let word = rest.popFirst(), !word.isEmpty else {
        throw UsageError("\(option) needs \(what)")
      }
      return word
    }
  }
}

extension DefaultsTool {
  /// Makes a page about a domain, or about all of the user's.
  func inspect(_ arguments: InspectionArguments) throws {
    try checkHosts(of: "inspect")
    var words = arguments.domain
    let domain = try DomainArgument.take(from: &words)
    try Self.table.check(count: words.count + (domain == nil ? 0 : 1), of: Self.inspect)
    let place = OutputPlace(ofPage: arguments.output)
    try place.checkIsNoPropertyList()
    guard place.checkIsFree(in: session) else { return }
    let inspected = try domain.map { [$0] } ?? allInspectedDomains()
    var page = InspectionPage(title: domain.map { "Preferences of \($0.name)" } ?? "Preferences")
    for domain in inspected {
      let store = try searchedStore(of: domain)
      try place.checkIsNone(of: store.layerContents.compactMap(\.layer.path))
      let document = InspectedDocument(
        domain.name, store, copies: arguments.copies, readableManifest(of: domain))
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
