import Foundation
import InspectionPage

/// A page with its JSON read again.
struct WrittenPage {
  let html: String

  init(_ page: InspectionPage) {
    html = String(decoding: page.html(), as: UTF8.self)
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

  /// The nonces of the policy, the style and the script.
  var nonces: [String] {
    html.matches(of: /nonce[-=]"?([0-9a-f]+)/).map { String($0.output.1) }
  }
}
