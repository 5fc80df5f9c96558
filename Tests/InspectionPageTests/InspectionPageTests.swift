import Foundation
import InspectionPage
import PropertyList
import Testing

@Suite("The page for browsers")
struct InspectionPageTests {
  private func document(_ name: String, _ value: PlistValue = "x") -> InspectedDocument {
    var document = InspectedDocument(.file, name: name, summary: "summary", facts: [("a", "b")])
    var tree = InspectedTree()
    tree.add(value)
    document.add(tree)
    return document
  }

  @Test("lists its documents, and has each in an element of its own")
  func documents() throws {
    var page = InspectionPage(title: "title")
    let areAdded = [page.add(document("first")), page.add(document("second"))]
    #expect(areAdded == [true, true])
    #expect(page.count == 2)
    let written = WrittenPage(page)
    let index = try #require(written.object("index"))
    #expect(index["title"] as? String == "title")
    let entries = try #require(index["documents"] as? [[String: Any]])
    #expect(entries.map { $0["name"] as? String } == ["first", "second"])
    #expect(entries.map { $0["summary"] as? String } == ["summary", "summary"])
    #expect(entries.map { $0["isOmitted"] as? Bool } == [false, false])
    for (number, name) in ["first", "second"].enumerated() {
      let document = try #require(written.object("document-\(number)"))
      #expect(document["name"] as? String == name)
      #expect(document["kind"] as? String == "file")
      #expect(document["facts"] as? [[String]] == [["a", "b"]])
      #expect((document["tree"] as? [String: Any])?["texts"] as? [String] == ["x"])
    }
    #expect(written.object("document-2") == nil)
  }

  @Test("leaves out a document with which it would be too large, and lists it")
  func limit() throws {
    var page = InspectionPage(title: "title", maximumSize: 500)
    let large = PlistValue.string(String(repeating: "x", count: 500))
    let areAdded = [
      page.add(document("small")), page.add(document("large", large)), page.add(document("other")),
    ]
    #expect(areAdded == [true, false, true])
    let written = WrittenPage(page)
    let entries = try #require(written.object("index")?["documents"] as? [[String: Any]])
    #expect(entries.map { $0["isOmitted"] as? Bool } == [false, true, false])
    #expect(written.object("document-1") == nil)
    #expect(written.object("document-2")?["name"] as? String == "other")
  }

  @Test("allows only its own script and style, by a nonce of its own, and images in data")
  func policy() throws {
    let page = InspectionPage(title: "title")
    let (first, second) = (WrittenPage(page), WrittenPage(page))
    let nonce = try #require(first.nonces.first)
    #expect(nonce.count == 32)
    #expect(first.nonces == [nonce, nonce, nonce, nonce])
    #expect(second.nonces.first != nonce)
    let policy = """
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; \
      script-src 'nonce-\(nonce)'; style-src 'nonce-\(nonce)'; img-src data:; base-uri 'none'; \
      form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'">
      """
    #expect(first.html.contains(policy))
    let head = try #require(first.html.range(of: policy))
    #expect(!first.html[..<head.lowerBound].contains("<script"))
  }

  @Test("refers to nothing outside of itself")
  func isSelfContained() {
    let html = WrittenPage(InspectionPage(title: "title")).html
    #expect(
      html.matches(of: /\s(?:src|href)="([^"]*)"/).map { $0.output.1 } == ["data:,", "#tree"])
    #expect(!html.contains("://"))
    #expect(!html.contains("@import"))
    #expect(html.matches(of: /\burl\(/).isEmpty)
  }

  @Test("has its files in one script, without imports and exports")
  func script() throws {
    let html = WrittenPage(InspectionPage(title: "title")).html
    let script = try #require(html.components(separatedBy: "<script nonce").last)
    #expect(script.matches(of: #/(?m)^(?:import|export) /#).isEmpty)
    for name in [
      "class Tree ", "class VirtualList ", "class TreeView ", "class Search ",
      "function showValue(",
    ] {
      #expect(script.contains("\n\(name)"))
    }
    #expect(
      script.matches(of: /innerHTML|outerHTML|insertAdjacent|document\.write|\beval\(/).isEmpty)
  }

  @Test("keeps hostile names and values inside of its JSON and its title")
  func hostile() throws {
    let evil = "</title></script><script>run()</script><img src=x onerror=run()>\u{2028}{{script}}"
    var page = InspectionPage(title: evil)
    _ = page.add(document(evil, .dictionary([evil: .string(evil)])))
    let plain = WrittenPage(InspectionPage(title: ""))
    let written = WrittenPage(page)
    #expect(written.object("index")?["title"] as? String == evil)
    let tree = try #require(written.object("document-0")?["tree"] as? [String: Any])
    #expect(tree["keys"] as? [String] == [evil])
    #expect(tree["texts"] as? [String] == [evil])
    // A document adds one element.
    for tag in ["<script", "</script", "<img", "</title"] {
      let (count, before) = [written, plain].map { $0.html.components(separatedBy: tag).count }.pair
      #expect(count - before == (tag.contains("script") ? 1 : 0), "\(tag)")
    }
    #expect(written.html.contains("<title>&lt;/title&gt;&lt;/script&gt;"))
  }
}

extension Array {
  fileprivate var pair: (Element, Element) { (self[0], self[1]) }
}
