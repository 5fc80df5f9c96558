internal import CommandLineInterface
internal import FoundationEssentials
internal import PropertyList

/// `-find`
extension Plutil {
  /// Prints the keys and values that match a pattern. The exit status is like `grep`'s: 1 if
  /// nothing matches, and 2 if a file cannot be read.
  static func find(_ invocation: Invocation, in session: Session) throws(UsageError) {
    session.failureStatus = troubleStatus
    let search = try ValueSearch(of: invocation)
    let isJSON = invocation.has(.json)
    let isSilent = invocation.has(.silent)
    let list = try InputList(of: invocation, in: session, recordsLines: true)
    var hasHits = false
    list.forEach("searching", in: session) { file throws(InputProblem) in
      let input = try file.load()
      do throws(PlistError) {
        return (hits: try search.hits(in: input.document), envelope: input.envelope)
      } catch {
        throw .file("\(error)")
      }
    } consume: { item, result in
      let name = item.input.name
      switch result {
      case .failure(let error): session.report("\(error)", about: name)
      case .success((let hits, let envelope)):
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

  private static func print(_ hit: ValueSearch.Hit, in file: String, _ session: Session) {
    session.print(file.onOneLine, in: .heading)
    if let line = hit.line { session.print(":\(line)") }
    session.print(": ")
    if !hit.keyPath.isRoot {
      session.print("\(hit.keyPath)".onOneLine, in: .key)
      session.print(": ")
    }
    session.print(hit.text, in: ValuePrinter.style(of: hit.value))
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

/// A search for keys and values in property lists.
private struct ValueSearch: Sendable {
  struct Hit: Sendable {
    /// The line of the value, or of its key; nil in a format without lines.
    let line: Int?
    let keyPath: PlistKeyPath
    /// The value; for a container, an empty one of its kind.
    let value: PlistValue
    let text: String
  }

  let pattern: String
  let searchesKeys: Bool
  let searchesValues: Bool
  let kind: PlistValue.Kind?

  /// The search of a command line; throws for a malformed pattern.
  init(of invocation: Invocation) throws(UsageError) {
    pattern = invocation.arguments[0]
    guard !invocation.verb.options.contains(where: { $0.name == invocation.arguments[0] }) else {
      throw UsageError("-find takes the pattern first, as in -find text \(pattern)")
    }
    _ = try TextPattern(pattern)
    let keys = invocation.has(.onlyKeys)
    let values = invocation.has(.onlyValues)
    guard !keys || !values else { throw UsageError("--keys and --values cannot be used together") }
    (searchesKeys, searchesValues) = (!values, !keys)
    kind = try ValueType.kind(named: invocation.argument(of: .onlyType))
  }

  /// Returns the hits in document order; throws if shared parts expand too far.
  func hits(in document: PlistDocument) throws(PlistError) -> [Hit] {
    if document.format == .binary { try document.value.checkExpansion() }
    // A command line with a malformed pattern has already been refused.
    guard let pattern = try? TextPattern(pattern) else { return [] }
    var hits: [Hit] = []
    var walk = PlistTreeWalk(document.value, keyOrder: .document)
    while let event = walk.next() {
      let found: PlistValue
      switch event {
      case .open(let value), .leaf(let value): found = value
      case .close: continue
      }
      guard kind == nil || found.kind == kind else { continue }
      let matches =
        searchesKeys && walk.key.map { pattern.occurs(in: $0) } ?? false
        || searchesValues && Self.texts(of: found).contains { pattern.occurs(in: $0) }
      guard matches else { continue }
      let components = walk.components()
      hits.append(
        Hit(
          line: document.lines?.line(at: components, in: document.value),
          keyPath: PlistKeyPath(components: components), value: found.withoutContents,
          text: found.leafText))
    }
    return hits
  }

  /// The texts of a value that are compared with the pattern: for data, its bytes in hexadecimal
  /// digits and as UTF-8; for a container, an empty text.
  private static func texts(of value: PlistValue) -> [String] {
    switch value {
    case .dictionary, .array, .set: [""]
    case .string(let text): [text]
    case .date(let date): [date.descriptionText] + (date.propertyListText.map { [$0] } ?? [])
    case .data(let data): [data.hexadecimalText, String(decoding: data, as: UTF8.self)]
    case .uid(let number): [String(number)]
    default: [value.leafText]
    }
  }
}

extension PlistValue {
  /// An empty container of the same kind for a container; other values unchanged.
  fileprivate var withoutContents: PlistValue {
    switch self {
    case .dictionary: .dictionary([:])
    case .array: .array([])
    case .set: .set([])
    default: self
    }
  }
}

/// A pattern that `-find` searches for: a Swift regular expression.
private struct TextPattern {
  /// The bytes of a pattern without special characters, which needs no regular-expression engine;
  /// nil for others.
  private let literal: [UInt8]?
  private let expression: Regex<AnyRegexOutput>?

  private static let special = Set(#"\^$.|?*+()[]{}"#.utf8)

  init(_ pattern: String) throws(UsageError) {
    guard pattern.utf8.contains(where: Self.special.contains) else {
      literal = Array(pattern.utf8)
      expression = nil
      return
    }
    literal = nil
    do {
      expression = try Regex(pattern).matchingSemantics(.unicodeScalar)
    } catch {
      throw UsageError("invalid regular expression \(pattern): \(Self.defect(of: error))")
    }
  }

  private static func defect(of error: any Error) -> String {
    switch "\(error)" {
    case "expected custom character class members", "expected ']'": "[ is never closed"
    case "expected ')'": "( is never closed"
    case let other: other
    }
  }

  func occurs(in text: String) -> Bool {
    guard let literal else {
      guard let expression else { return false }
      // The engine throws an error for a pattern that matches nothing.
      return (try? expression.firstMatch(in: text)) ?? nil != nil
    }
    var text = text
    return text.withUTF8 { $0.contains(literal) }
  }
}
