internal import FoundationEssentials
internal import PropertyList

/// A page for browsers that shows documents, in one self-contained file.
///
/// The documents are JSON in separate elements, of a type that browsers do not run. The element
/// `index` has the list of all documents, and `document-` and a number is the element of each, so
/// that a page with many documents appears before all are read.
package struct InspectionPage {
  private var index: Index
  private var documents: [UInt8] = []

  /// The maximum size in bytes of a page's documents. Browsers limit the size of texts, and need
  /// several times this memory.
  package let maximumSize: Int

  private struct Index: Encodable {
    let title: String
    let opensOnSummary: Bool
    var documents: [Entry] = []

    struct Entry: Encodable {
      let name, summary: String
      let warnings: Int
      let hasError: Bool
      /// The document is left out because the page would be too large with it.
      let isOmitted: Bool
    }
  }

  /// A page without documents.
  ///
  /// - Parameter opensOnSummary: Whether a page of several documents first shows how many have
  ///   errors and warnings, instead of the first document.
  package init(title: String, opensOnSummary: Bool = false, maximumSize: Int = 256 << 20) {
    index = Index(title: title, opensOnSummary: opensOnSummary)
    self.maximumSize = maximumSize
  }

  package var count: Int { index.documents.count }

  /// Adds a document.
  ///
  /// - Returns: Whether the page has the document's contents. If they would make the page too
  ///   large, it only lists the document.
  package mutating func add(_ document: InspectedDocument) -> Bool {
    let element = Self.element(id: "document-\(count)", document)
    let isOmitted = documents.count + element.count > maximumSize
    if !isOmitted { documents += element }
    index.documents.append(
      Index.Entry(
        name: document.name, summary: document.summary, warnings: document.warningCount,
        hasError: document.hasError, isOmitted: isOmitted))
    return !isOmitted
  }

  /// An element with a value as JSON. No text in it can end the element.
  private static func element(id: String, _ value: some Encodable) -> [UInt8] {
    var options = PlistWriteOptions()
    options.keyOrder = .document
    options.limits.maximumExpansion = .max
    guard let json = try? PlistEncoder(outputFormat: .json, options: options).encode(value) else {
      preconditionFailure("JSON has integers, booleans and texts")
    }
    var element = Array("<script type=\"application/json\" id=\"\(id)\">".utf8)
    for byte in json {
      if byte == UInt8(ascii: "<") { element += "\\u003c".utf8 } else { element.append(byte) }
    }
    return element + "</script>\n".utf8
  }

  /// The whole page.
  ///
  /// Scripts and styles are allowed by a nonce in the page's content security policy. Each page has
  /// a new one; only the page reads it, and nothing in the page makes elements out of text.
  package func html() -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    let nonce = (0..<2).map { _ in
      let digits = String(generator.next() as UInt64, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
    let parts: [String: [UInt8]] = [
      "title": Array(Self.escaped(index.title).utf8),
      "nonce": Array(nonce.utf8),
      "style": PackageResources.page_css,
      "documents": Self.element(id: "index", index) + documents,
      "script": Array(Self.scripts.joined(separator: "\n".utf8)),
    ]
    return Self.fill(PackageResources.page_html, with: parts)
  }

  /// The files of the script. Each comes after the files whose names it uses while it loads.
  private static let scripts = [
    PackageResources.text_js, PackageResources.model_js, PackageResources.virtual_list_js,
    PackageResources.tree_view_js, PackageResources.search_js, PackageResources.bytes_view_js,
    PackageResources.details_js, PackageResources.settings_view_js, PackageResources.source_view_js,
    PackageResources.overview_js, PackageResources.main_js,
  ]

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
