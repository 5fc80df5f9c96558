import Foundation
import InspectionPage
import Testing

@Suite("JSON in a page")
struct PageJSONTests {
  static let texts = [
    "</script>", "<!--", "&amp;", "\"\\", "\n\t\0\u{1F}\u{7F}", "a\u{2028}b\u{2029}c",
    "é€ €\u{2027}\u{202E}😀", "", "a/b",
  ]

  @Test("has each text as it is, and none that could end the element around it", arguments: texts)
  func text(_ text: String) throws {
    var page = InspectionPage(title: "title")
    _ = page.add(InspectedDocument(.file, name: text, facts: [(text, "x")]))
    let written = WrittenPage(page)
    let document = try #require(written.object("document-0"))
    #expect((document["name"] as? String).map { Array($0.utf8) } == Array(text.utf8))
    #expect((document["facts"] as? [[String]])?.first?.first == text)
    #expect(written.html.contains(#/id="document-0">[^<]*</script>/#))
  }

  @Test("leaves out what a document does not have")
  func members() throws {
    var page = InspectionPage(title: "title")
    _ = page.add(InspectedDocument(.file, name: "name", facts: []))
    let document = try #require(WrittenPage(page).object("document-0"))
    #expect(document.keys.sorted() == ["facts", "kind", "name"])
  }
}
