import Foundation

/// A page that plutil has written, with its JSON.
struct InspectedPage {
  let html: String

  init(_ data: Data) {
    html = String(decoding: data, as: UTF8.self)
  }

  /// The JSON of the element with an identifier; nil if there is none.
  func object(_ id: String) -> [String: Any]? {
    let start = "<script type=\"application/json\" id=\"\(id)\">"
    guard let range = html.range(of: start),
      let end = html.range(of: "</script>", range: range.upperBound..<html.endIndex)
    else { return nil }
    let json = Data(html[range.upperBound..<end.lowerBound].utf8)
    return (try? JSONSerialization.jsonObject(with: json)) as? [String: Any]
  }

  /// A document by its number.
  func document(_ number: Int = 0) -> [String: Any] { object("document-\(number)") ?? [:] }

  /// A tree of a document.
  func tree(_ name: String = "tree", ofDocument number: Int = 0) -> [String: Any] {
    document(number)[name] as? [String: Any] ?? [:]
  }

  /// The entries of the list of documents.
  var entries: [[String: Any]] { object("index")?["documents"] as? [[String: Any]] ?? [] }

  /// The names of the documents.
  var names: [String] { entries.compactMap { $0["name"] as? String } }
}
