import Foundation
import PropertyList
import TestSupport
import Testing

extension BrowserTests {
  @Suite("the list of documents of a page")
  struct DocumentListTests {
    @Test("names of absolute and of relative paths are in one list")
    func paths() async throws {
      let folder = try TemporaryFolder()
      for name in ["a.plist", "conf/b.plist", "conf/c.plist"] {
        try folder.makeFolder("conf")
        try folder.write(document(.string(name)), to: name)
      }
      for (names, notes) in [
        ([folder.path("a.plist"), "conf/b.plist"], [folder.path + "/", "conf/"]),
        (["conf/b.plist", folder.path("a.plist")], ["conf/", folder.path + "/"]),
        (["conf/b.plist", "conf/c.plist"], ["", ""]),
        (["a.plist", "conf/b.plist"], ["", "conf/"]),
        ([folder.path("a.plist"), folder.path("conf/b.plist")], ["", "conf/"]),
      ] {
        try await Report.run("plutil", ["-inspect", "-o", "report.html"] + names, in: folder)
        let page = try await Page()
        try await page.open(folder.path("report.html"))
        try await page.wait(until: Report.isReady)
        let shown: [String] = try await page.run(
          """
          return [...document.querySelectorAll('.file-note')].map(note => note.textContent)
          """)
        #expect(
          shown.map { String($0.prefix { $0 != " " }) } == notes.map { $0.isEmpty ? "XML" : $0 })
        #expect(page.problems == [])
      }
    }

    @Test("the page of a folder opens on a summary, from which files with problems are opened")
    func summary() async throws {
      let folder = try TemporaryFolder()
      try folder.makeFolder("conf")
      try folder.write(document(["a": 1]), to: "conf/good.plist")
      try folder.write("{ a = 1 }\n", to: "conf/bad.plist")
      try folder.write("{ a = 1; a = 2; }\n", to: "conf/twice.plist")
      try await Report.run("plutil", ["-inspect", "-o", "report.html", "conf"], in: folder)
      let page = try await Page()
      try await page.open(folder.path("report.html"))
      try await page.wait(until: "document.querySelector('#overview li')")
      let report = Report(folder: folder, page: page)
      let items: [String] = try await page.run(
        "return [...document.querySelectorAll('#overview > :not(ul), #overview li > *')].map(item => item.textContent)"
      )
      #expect(
        items == [
          "3 property lists", "1 with errors, 1 with warnings only, 1 with neither", "error",
          "bad.plist", "not a valid property list", "1", "twice.plist", "OpenStep text",
        ])
      #expect(try await report.text(of: "#name") == "conf")
      func names() async throws -> [String] {
        try await page.run(
          "return [...document.querySelectorAll('#list .file-name')].map(name => name.textContent)")
      }
      #expect(try await names() == ["bad.plist", "good.plist", "twice.plist"])
      try await page.run(
        """
        document.getElementById('kind').value = 'warning';
        document.getElementById('kind').dispatchEvent(new Event('change'));
        """)
      #expect(try await names() == ["twice.plist"])
      try await page.click("document.querySelector('#overview li button')")
      #expect(try await report.text(of: "#problems").contains("expected ;"))
      #expect(try await page.run("return document.getElementById('overview').hidden"))
      #expect(try await names() == ["bad.plist", "good.plist", "twice.plist"])
      try await page.click("back")
      #expect(try await page.run("return !document.getElementById('overview').hidden"))
      #expect(page.problems == [])
    }

    @Test("keys do nothing in a list that the filter leaves empty")
    func emptyList() async throws {
      let report = try await Report(["a.plist": document(["a": 1]), "b.plist": document(["b": 2])])
      let page = report.page
      try await page.click("filter")
      try await page.type("zzz")
      try await page.wait(until: "!document.querySelector('#list [role=option]')")
      try await page.press(.tab, .tab, .down, .up, .home, .end)
      #expect(try await page.run("return document.activeElement.id") == "list")
      #expect(try await report.labels() == ["Root", "a"])
      #expect(page.problems == [])
    }

    @Test("a file that cannot be parsed is gone when the next one is shown")
    func brokenFiles() async throws {
      let lines = { (word: String) in
        Data((0..<200).map { "\(word) \($0)" }.joined(separator: "\n").utf8)
      }
      let report = try await Report(["a.plist": lines("first"), "b.plist": lines("second")])
      let page = report.page
      try await page.click("list")
      try await page.press(.home, .down, .up, .down)
      #expect(try await report.text(of: "#source").contains("second"))
      // A list that is no longer shown has no listeners, and therefore does not retain its
      // documents.
      let source = try await page.call(
        "Runtime.evaluate", ["expression": "document.getElementById('source')"])
      let listeners = try await page.call(
        "DOMDebugger.getEventListeners",
        ["objectId": .string(source[PlistKeyPath("result.objectId")]?.text ?? "")])
      guard case .array(let found)? = listeners[PlistKeyPath("listeners")] else {
        Issue.record("no listeners: \(listeners)")
        return
      }
      #expect(found.count { $0[PlistKeyPath("type")] == "scroll" } == 1)
      #expect(page.problems == [])
    }
  }
}
