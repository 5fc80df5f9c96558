import Foundation
import PropertyList
import TestSupport
import Testing

extension BrowserTests {
  @Suite("text that wants to be more")
  struct HostileTextTests {
    /// Texts that would set `window.harm` if a page took them for markup or script.
    private static let texts = [
      "</script><script>window.harm = 1</script>", "<img src=x onerror='window.harm = 1'>",
      "<svg onload=window.harm=1>", "--><script>window.harm = 1</script><!--",
      "<!--<script>window.harm = 1", "]]><script>window.harm=1</script>",
      "javascript:window.harm = 1", "data:text/html,<script>window.harm = 1</script>",
      "\"; window.harm = 1; \"", "'; window.harm = 1; '", "${window.harm = 1}", "\\u003cscript",
      "{{script}}", "{{documents}}", "\u{2028}window.harm = 1\u{2029}",
      "\u{202E}gnp.exe\u{202C}", "\u{200B}\u{FEFF}\u{E0041}", "a\u{0}b\u{7}c\u{1B}[31m",
      "__proto__", "constructor", "hasOwnProperty", "toString", "<style>*{display:none}</style>",
      "<base href=http://127.0.0.1/>", "<meta http-equiv=refresh content=0;url=http://127.0.0.1/>",
      "http://127.0.0.1:9/", "&lt;script&gt;", "\u{65}\u{301}", "\u{E9}",
    ]

    /// Shows and does everything that a page offers for a value.
    private func tryEverything(_ report: Report) async throws {
      let page = report.page
      try await page.click("expand")
      let rows = try await report.rows().count
      try await page.click("document.querySelector('#tree [role=treeitem]')")
      for _ in 0..<min(rows, 80) { try await page.press(.down) }
      try await page.run(
        """
        for (const button of document.querySelectorAll('[role=tab], #detail button, #views button'))
          button.click();
        """)
      try await page.click("query")
      try await page.type("<script")
      try await page.press(.enter, .enter)
    }

    private func expectNoHarm(
      _ page: Page, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
      #expect(
        try await page.run("return typeof window.harm") == "undefined",
        sourceLocation: sourceLocation)
      #expect(
        try await page.run("return typeof Object.prototype.polluted") == "undefined",
        sourceLocation: sourceLocation)
      #expect(
        try await page.run(
          """
          return [...document.querySelectorAll(
            'script:not([type="application/json"]):not([nonce]), svg, iframe, base, object, embed, ' +
            'meta[http-equiv=refresh], [onerror], [onload], a[href^="javascript"], #tree img'
          )].map(element => element.outerHTML)
          """) == [String](), sourceLocation: sourceLocation)
      #expect(page.problems == [], sourceLocation: sourceLocation)
    }

    @Test("in keys and values it stays text", arguments: [PlistFormat.xml, .binary, .json])
    func keysAndValues(format: PlistFormat) async throws {
      var list = PlistDictionary()
      // XML has no control characters.
      let texts = Self.texts.filter { format != .xml || !$0.utf8.contains(0) }
      for text in texts { list[text] = .string(text) }
      list["array"] = .array(texts.map { .string($0) })
      if format != .json { list["data"] = .data(Data(texts.joined().utf8)) }
      let report = try await Report(["list.plist": document(.dictionary(list), format)])
      try await tryEverything(report)
      try await expectNoHarm(report.page)
      // All keys are there unchanged, apart from characters that cannot be seen.
      let keys: [String] = try await report.page.run(
        "return JSON.parse(document.getElementById('document-0').textContent).tree.keys")
      #expect(Set(keys.map { Data($0.utf8) }) == Set(list.keys.map { Data($0.utf8) }))
    }

    @Test("in the names of files it stays text")
    func fileNames() async throws {
      let names = [
        "<img src=x onerror=window.harm=1>.plist", "'\"><script>window.harm=1<", "{{title}}.plist",
        "a\u{202E}tsilp.plist", "__proto__.plist",
      ]
      let folder = try TemporaryFolder()
      for name in names { try folder.write(document("text"), to: name) }
      try await Report.run("plutil", ["-inspect", "-o", "report.html", "--"] + names, in: folder)
      let page = try await Page()
      try await page.open(folder.path("report.html"))
      try await page.wait(until: Report.isReady)
      try await expectNoHarm(page)
      let shown: [String] = try await page.run(
        "return [...document.querySelectorAll('.file-name')].map(name => name.textContent)")
      #expect(
        shown == [
          names[0], names[1], names[2], "aU+202Etsilp.plist", names[4],
        ])
    }

    @Test("in files that cannot be read, and in messages about them, it stays text")
    func brokenFiles() async throws {
      for text in Self.texts.prefix(14) {
        let report = try await Report(["broken.plist": Data("{ \"\(text)\" = ( \(text)".utf8)])
        try await expectNoHarm(report.page)
      }
    }

    @Test("a text of megabytes is shown in part, and found as a whole")
    func longText() async throws {
      let long = String(repeating: "<b>0123456789", count: 400_000) + "needle"
      let report = try await Report(
        ["long.plist": document(["long": .string(long), long: 1])])
      try await report.page.click("document.querySelectorAll('#tree [role=treeitem]')[1]")
      try await report.page.click("query")
      try await report.page.type("needle")
      try await report.page.wait(until: "matches.textContent.includes('2')")
      let size: Int = try await report.page.run("return document.body.innerText.length")
      #expect(size < 1_000_000)
      try await expectNoHarm(report.page)
    }

    @Test("a page that is changed runs no script without its nonce")
    func policy() async throws {
      let report = try await Report(["list.plist": document("text")])
      let page = try report.folder.text("report.html")
      try report.folder.write(
        page.replacing("</body>", with: "<script>window.harm = 1</script></body>"),
        to: "changed.html")
      try await report.page.open(report.folder.path("changed.html"))
      try await report.page.wait(until: Report.isReady)
      #expect(try await report.page.run("return typeof window.harm") == "undefined")
      let problems = report.page.problems
      #expect(problems.contains { $0.contains("script-src-elem") })
    }
  }
}
