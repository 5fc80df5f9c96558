internal import CommandLineInterface
internal import FoundationEssentials
internal import PropertyList

/// `-set`
extension Plutil {
  static func set(_ invocation: Invocation, in session: Session) throws(UsageError) {
    let output = try Output.all(of: invocation, default: .inPlace)[0]
    guard let lines = try lines(of: invocation, in: session) else { return }
    var found: [(line: TextLine, value: FoundLine)] = []
    for line in lines {
      do {
        let value = try FoundLine(line, fileNamed: output.input.operand)
        if let first = found.first, !first.value.file.hasSameBytes(as: value.file) {
          throw CommandFailure("the line is about another file than line \(first.line.number)")
        }
        found.append((line, value))
      } catch {
        return session.report("line \(line.number): \(error)", about: line.file)
      }
    }
    output.transform(silent: invocation.has(.silent), in: session) { document, data in
      var root = document.value
      var edits: [Edit] = []
      for (line, value) in found {
        do {
          for edit in try value.edits(of: root) {
            try edit.apply(to: &root)
            edits.append(edit)
          }
        } catch {
          throw CommandFailure("\(error) (line \(line.number) of \(line.file))")
        }
      }
      return try contents(of: output, making: edits, in: document, data, invocation)
    }
  }
}

extension FoundLine {
  /// The edits that put the value of the line, and the containers around it, into a property list.
  func edits(of root: PlistValue) throws -> [Edit] {
    let present = root[path]
    if let present, matches(present) { return [] }
    guard case .value(let value) = content else {
      throw CommandFailure(
        "\(path.isRoot ? "the root" : path.excerpt) is printed without some of its bytes; use -find --json"
      )
    }
    if let present, present.kind == value.kind, value == .dictionary([:]) || value == .array([]) {
      return []
    }
    var edits: [Edit] = []
    for count in path.components.indices.dropFirst() {
      let outer = PlistKeyPath(components: Array(path.components[..<count]))
      guard root[outer] == nil else { continue }
      let next = path.components[count]
      guard next == "0" || next.utf8.contains(where: { !(0x30...0x39 ~= $0) }) else {
        throw CommandFailure("there is no \(outer.excerpt) that could have an element \(next)")
      }
      edits.append(edit(at: outer, next == "0" ? .array([]) : [:], root))
    }
    return edits + [edit(at: path, value, root)]
  }

  /// An element after the last one is inserted.
  private func edit(at path: PlistKeyPath, _ value: PlistValue, _ root: PlistValue) -> Edit {
    let container = root[PlistKeyPath(components: path.components.dropLast())]
    if root[path] == nil, !path.isRoot {
      switch container {
      case .array?: return Edit(path: path, action: .insert(value))
      case nil where path.components.last == "0": return Edit(path: path, action: .insert(value))
      default: break
      }
    }
    return Edit(path: path, action: .replace(value))
  }
}

/// A line that `-find` prints, as text or as JSON.
private struct FoundLine {
  enum Content {
    case value(PlistValue)
    /// A text that does not represent a single value.
    case other(String)
  }

  /// The file of the line, as it is printed.
  let file: String
  let path: PlistKeyPath
  /// The value. An empty container represents one of its kind with any contents.
  let content: Content
  /// What the line says about a value that it describes.
  private let describes: @Sendable (PlistValue) -> Bool

  /// Parses a line; throws an error for a malformed one. The name of the file may contain colons.
  init(_ line: TextLine, fileNamed name: String) throws {
    if line.text.hasPrefix("{\"") {
      try self.init(line.object)
    } else {
      try self.init(text: line.text[...], fileNamed: name.onOneLine)
    }
  }

  /// Whether a value matches the line. A description may omit details, such as parts of long data.
  func matches(_ value: PlistValue) -> Bool { describes(value) }

  private init(_ object: PlistDictionary) throws {
    guard case .string(let file)? = object["file"], case .string(let path)? = object["keyPath"],
      case .string(let type)? = object["type"],
      let kind = PlistValue.Kind.allCases.first(where: { ValueType.name(of: $0) == type })
    else { throw CommandFailure("expected an object with file, keyPath, type and value") }
    (self.file, self.path) = (file, PlistKeyPath(path))
    let text = object["value"]
    describes = { $0.kind == kind && $0.foundJSON == text }
    guard let value = Self.value(of: kind, text) else {
      throw CommandFailure("the value is not of the type \(type)")
    }
    content = .value(value)
  }

  private static func value(of kind: PlistValue.Kind, _ json: PlistValue?) -> PlistValue? {
    switch (kind, json) {
    case (.dictionary, nil): [:]
    case (.array, nil): []
    case (.set, nil): .set([])
    case (.string, .string?), (.integer, .integer?), (.integer, .unsignedInteger?),
      (.boolean, .boolean?), (.null, .null?), (.real, .real?):
      json
    case (.real, .integer(let number)?): .real(Double(number))
    case (.real, .string(let text)?): try? PlistValue(realText: text)
    case (.uid, .integer(let number)?): UInt32(exactly: number).map(PlistValue.uid)
    case (.data, .string(let text)?): Data(base64Encoded: text).map(PlistValue.data)
    case (.date, .string(let text)?): try? PlistValue(dateText: text)
    default: nil
    }
  }

  private init(text line: Substring, fileNamed name: String) throws {
    let separator = ": ".utf8
    var rest = line
    let hasName =
      line.utf8.starts(with: name.utf8)
      && line.utf8.dropFirst(name.utf8.count).first == UInt8(ascii: ":")
    if hasName { rest = Substring(line.utf8.dropFirst(name.utf8.count)) }
    guard let end = rest.utf8.firstRange(of: separator) else { throw Self.malformed }
    file = hasName ? name : Self.withoutLine(rest[..<end.lowerBound])
    rest = rest[end.upperBound...]
    var path: Substring?
    var text = rest
    // No value ends with a colon and another value, but keys may contain these.
    while Self.value(text) == nil {
      guard let end = text.utf8.firstRange(of: separator) else { throw Self.malformed }
      path = rest[..<end.lowerBound]
      text = rest[end.upperBound...]
    }
    guard let content = Self.value(text) else { throw Self.malformed }
    self.content = content
    self.path = PlistKeyPath(path.map { Self.unescaped($0, keeping: true) } ?? "")
    let description = String(text)
    describes = { $0.leafText.hasSameBytes(as: description) }
  }

  private static let uidPrefix = "<CFKeyedArchiverUID>{value = "
  private static let malformed = CommandFailure("expected a line that -find prints")

  /// The name of a file without a line number after a colon.
  private static func withoutLine(_ name: Substring) -> String {
    guard let colon = name.lastIndex(of: ":"),
      !name[colon...].dropFirst().isEmpty,
      name[colon...].dropFirst().utf8.allSatisfy({ 0x30...0x39 ~= $0 })
    else { return String(name) }
    return String(name[..<colon])
  }

  /// The value whose ``PlistValue/leafText`` this is; nil if it is not one.
  private static func value(_ text: Substring) -> Content? {
    switch text {
    case "{}", "{…}": return .value([:])
    case "[]", "[…]": return .value([])
    case "{()}", "{(…)}": return .value(.set([]))
    case "true": return .value(true)
    case "false": return .value(false)
    case "null": return .value(.null)
    case _ where text.first == "\"": return string(text).map { .value(.string($0)) }
    case _ where text.hasPrefix("{length = "): return data(text)
    case _ where text.hasPrefix(uidPrefix) && text.hasSuffix("}"):
      return UInt32(text.dropFirst(uidPrefix.count).dropLast()).map { .value(.uid($0)) }
    default: break
    }
    let text = String(text)
    if let number = try? PlistValue(integerText: text) { return .value(number) }
    if let number = try? PlistValue(realText: text) { return .value(number) }
    if text.hasSuffix(" +0000"), let date = try? PlistValue(dateText: text) { return .value(date) }
    return nil
  }

  /// The string between quotes; nil unless the second of them is the last character.
  private static func string(_ text: Substring) -> String? {
    var isEscaped = false
    for (index, byte) in text.utf8.enumerated().dropFirst() {
      if !isEscaped, byte == UInt8(ascii: "\"") {
        guard index == text.utf8.count - 1 else { return nil }
        return unescaped(text.dropFirst().dropLast(), keeping: false)
      }
      isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
    }
    return nil
  }

  private static func data(_ text: Substring) -> Content? {
    guard text.hasSuffix("}"), let start = text.firstRange(of: "bytes = 0x") else { return nil }
    let digits = text[start.upperBound...].dropLast()
    return PlistValue(hexadecimalText: String(digits)).map { .value($0) } ?? .other(String(text))
  }

  /// A text with its escapes resolved; escapes of key paths may be kept.
  private static func unescaped(_ text: Substring, keeping: Bool) -> String {
    var result = String.UnicodeScalarView()
    var rest = text.unicodeScalars
    while let scalar = rest.popFirst() {
      guard scalar == "\\", let escaped = rest.popFirst() else {
        result.append(scalar)
        continue
      }
      switch escaped {
      case "u" where rest.first == "{":
        let digits = rest.dropFirst().prefix { $0 != "}" }
        if let value = UInt32(String(digits), radix: 16), let scalar = Unicode.Scalar(value) {
          result.append(scalar)
        }
        rest = rest.dropFirst(digits.count + 2)
      case _ where keeping: result.append(contentsOf: [scalar, escaped])
      case "n": result.append("\n")
      case "r": result.append("\r")
      case "t": result.append("\t")
      default: result.append(escaped)
      }
    }
    return String(result)
  }
}

extension PlistValue {
  /// The value in an object that `-find --json` prints; nil for a container.
  var foundJSON: PlistValue? {
    switch self {
    case .dictionary, .array, .set: nil
    case .string, .integer, .unsignedInteger, .boolean, .null: self
    case .real(let number): number.isFinite ? self : .string(leafText)
    case .float(let number): number.isFinite ? self : .string(leafText)
    case .uid(let number): .integer(Int64(number))
    case .data(let data): .string(data.base64EncodedString())
    case .date(let date): .string(date.propertyListText ?? leafText)
    }
  }
}
