/// A page for browsers that shows documents, in one file that needs nothing else.
///
/// The documents are JSON in elements of their own, of a type that browsers do not run: the list of
/// all in the element `index`, and each in `document-` and its number, so that a page with many is
/// shown before all are read. The index has `title`, `opensOnSummary` and `documents`: for each its `name`,
/// `summary`, `warnings` (how many), `hasError`, and `isOmitted` if the page would be too large
/// with it.
package struct InspectionPage {
  private let title: String
  private var index = JSONText()
  private var documents: [UInt8] = []
  /// The number of documents.
  package private(set) var count = 0

  /// The size in bytes that the documents of a page may have. Browsers have limits for texts, and
  /// need several times this memory.
  package let maximumSize: Int

  /// A page without documents.
  ///
  /// - Parameter opensOnSummary: Whether the page of several documents shows at first how many have errors
  ///   and warnings, and not the first document.
  package init(title: String, opensOnSummary: Bool = false, maximumSize: Int = 256 << 20) {
    self.title = title
    self.maximumSize = maximumSize
    index.open("{")
    index.key("title")
    index.string(title)
    index.key("opensOnSummary")
    index.boolean(opensOnSummary)
    index.key("documents")
    index.open("[")
  }

  /// Adds a document.
  ///
  /// - Returns: Whether it is in the page with its contents, and not only in the list, because the
  ///   page would be too large.
  package mutating func add(_ document: InspectedDocument) -> Bool {
    let isOmitted = documents.count + document.size > maximumSize
    index.open("{")
    index.key("name")
    index.string(document.name)
    index.key("summary")
    index.string(document.summary)
    index.key("warnings")
    index.integer(document.warningCount)
    index.key("hasError")
    index.boolean(document.hasError)
    index.key("isOmitted")
    index.boolean(isOmitted)
    index.close("}")
    if !isOmitted {
      documents += Self.element(id: "document-\(count)", document.text)
    }
    count += 1
    return !isOmitted
  }

  private static func element(id: String, _ json: [UInt8]) -> [UInt8] {
    Array("<script type=\"application/json\" id=\"\(id)\">".utf8) + json
      + Array("</script>\n".utf8)
  }

  /// The whole page.
  ///
  /// Scripts and styles run by a nonce, which the policy of the page (CSP) names. It is made anew
  /// for each page; nothing but the page reads it, and nothing in the page makes elements out of
  /// text.
  package func html() -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    let nonce = (0..<2).map { _ in
      let digits = String(generator.next() as UInt64, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
    var index = index
    index.close("]")
    index.close("}")
    let parts: [String: [UInt8]] = [
      "title": Array(Self.escaped(title).utf8),
      "nonce": Array(nonce.utf8),
      "style": PackageResources.page_css,
      "documents": Self.element(id: "index", index.bytes) + documents,
      "script": PageScript.text,
    ]
    return Self.fill(PackageResources.page_html, with: parts)
  }

  /// Replaces each `{{name}}` in a template.
  private static func fill(_ template: [UInt8], with parts: [String: [UInt8]]) -> [UInt8] {
    let pieces = String(decoding: template, as: UTF8.self).split(
      separator: "{{", omittingEmptySubsequences: false)
    var page: [UInt8] = Array(pieces[0].utf8)
    for piece in pieces.dropFirst() {
      let halves = piece.split(separator: "}}", maxSplits: 1, omittingEmptySubsequences: false)
      guard halves.count == 2, let part = parts[String(halves[0])] else {
        preconditionFailure("the template names no part: \(halves[0])")
      }
      page += part
      page += halves[1].utf8
    }
    return page
  }

  private static func escaped(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { result, scalar in
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      default: result.unicodeScalars.append(scalar)
      }
    }
  }
}
