internal import CommandLineInterface
internal import FoundationEssentials
internal import PropertyList

/// `-find`
extension Plutil {
  /// Prints the keys and values that match a pattern. The exit status is that of `grep`: 1 if there
  /// are none, and 2 if a file cannot be read.
  static func find(_ invocation: Invocation, in session: Session) throws(UsageError) {
    session.failureStatus = searchFailure
    let search = try ValueSearch(of: invocation)
    let isJSON = invocation.has(Option.json)
    let isSilent = invocation.has(Option.silent)
    let list = try InputList(of: invocation, in: session, recordsLines: true)
    var hasHits = false
    list.forEach("searching", in: session) { _, input in
      (
        hits: Result { () throws(PlistError) in try search.hits(in: input.document) },
        envelope: input.envelope
      )
    } consume: { item, result in
      let name = item.input.name
      switch result {
      case .failure(let error):
        session.report("\(error)", about: name)
      case .success((.failure(let error), _)):
        session.report("\(error)", about: name)
      case .success((.success(let hits), let envelope)):
        guard !hits.isEmpty else { return }
        hasHits = true
        if !isSilent { session.note(envelope, about: name) }
        for hit in hits {
          if isJSON {
            session.print(jsonLine: object(hit, in: name))
          } else {
            print(hit, in: name, session)
          }
        }
      }
    }
    if !hasHits { session.succeed(with: 1) }
  }

  /// The exit status of a `-find` that cannot read a file.
  static let searchFailure: Int32 = 2

  private static func print(_ hit: ValueSearch.Hit, in file: String, _ session: Session) {
    session.print(file.onOneLine, in: .heading)
    if let line = hit.line { session.print(":\(line)") }
    session.print(": ")
    if !hit.keyPath.isRoot {
      session.print("\(hit.keyPath)".onOneLine, in: .key)
      session.print(": ")
    }
    session.print(hit.text, in: PlistPrinter.style(of: hit.value))
    session.print("\n")
  }

  private static func object(_ hit: ValueSearch.Hit, in file: String) -> PlistDictionary {
    var object: PlistDictionary = ["file": .string(file)]
    if let line = hit.line { object["line"] = .integer(Int64(line)) }
    object["keyPath"] = .string("\(hit.keyPath)")
    object["type"] = .string(ValueType.name(of: hit.value.kind))
    if let value = hit.value.foundJSON { object["value"] = value }
    return object
  }
}
