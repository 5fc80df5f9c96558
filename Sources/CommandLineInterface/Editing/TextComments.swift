package import FoundationEssentials
internal import Manifests
internal import PropertyList

/// The comments of a manifest in a text that a person edits, which are removed before the text is read.
struct TextComments {
  private let form: TextForm
  /// The description of the text's value, if any.
  private let description: PreferencesManifest.Key?
  /// The lines that were added, without indentation. No line of the text was the same.
  private var added: Set<Data> = []

  init(_ description: PreferencesManifest.Key?, in form: TextForm) {
    (self.description, self.form) = (description, form)
  }

  /// Adds a line above each line where a described value begins. A malformed text gets none.
  mutating func add(to text: Data) -> Data {
    added = []
    // With other line ends, lines are counted differently.
    guard let description, !text.contains(UInt8(ascii: "\r")),
      let document = form.document(of: text), let lines = document.lines
    else { return text }
    var comments: [Int: [(name: String?, text: String)]] = [:]
    Self.collect(document.value, description, lines, &comments)
    let present = Set(text.lines.map(\.trimmed))
    var result = Data()
    for (index, line) in text.lines.enumerated() {
      let comments = comments[index + 1] ?? []
      for comment in comments {
        let name = comments.count > 1 ? comment.name.map { "\($0): " } ?? "" : ""
        let added = form.notice(name + comment.text)
        guard !present.contains(added) else { continue }
        self.added.insert(added)
        result += line.prefix { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        result += added
        result.append(UInt8(ascii: "\n"))
      }
      result += line
    }
    return result
  }

  /// Removes the added lines that are unchanged, and in JSON also the added lines that were
  /// changed.
  ///
  /// - Returns: The remaining text, and the number that each of its lines had.
  func remove(from text: Data) -> (text: Data, numbers: [Int]) {
    guard !added.isEmpty else { return (text, []) }
    var rest = Data()
    var numbers: [Int] = []
    for (index, line) in text.lines.enumerated() {
      let content = line.trimmed
      guard !added.contains(content), !form.isNoticeAnywhere(content) else { continue }
      rest += line
      numbers.append(index + 1)
    }
    return (rest, numbers)
  }

  private static func collect(
    _ value: PlistValue, _ key: PreferencesManifest.Key, _ lines: PlistLines,
    _ comments: inout [Int: [(name: String?, text: String)]]
  ) {
    if let text = ManifestComment.text(of: key, withDefault: true) {
      comments[lines.line, default: []].append((key.name, text))
    }
    switch value {
    case .dictionary(let dictionary):
      for (entry, lines) in zip(dictionary, lines.children) {
        guard let key = PreferencesManifest.Key.member(entry.key, of: key.subkeys) else { continue }
        collect(entry.value, key, lines, &comments)
      }
    case .array(let elements):
      // The other elements have the same description.
      guard let element = elements.first, let lines = lines.children.first,
        let key = key.subkeys.first
      else { return }
      collect(element, key, lines, &comments)
    default: break
    }
  }
}

extension Data {
  /// The lines, each with its end.
  package var lines: [Data] {
    var lines: [Data] = []
    var rest = self[...]
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      lines.append(rest[...end])
      rest = rest[(end + 1)...]
    }
    return rest.isEmpty ? lines : lines + [rest]
  }

  fileprivate var trimmed: Data {
    let isSpace = { (byte: UInt8) in " \t\r\n".utf8.contains(byte) }
    guard let first = firstIndex(where: { !isSpace($0) }),
      let last = lastIndex(where: { !isSpace($0) })
    else { return Data() }
    return Data(self[first...last])
  }
}
