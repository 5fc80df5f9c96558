import PropertyList
import TestSupport
import Testing

extension BrowserTests {
  @Suite("a page about one file")
  struct TreeTests {
    private static let list: PlistValue = [
      "Name": "Needle in a haystack", "Nested": ["Deep": ["Deeper": "another needle"]],
      "Numbers": [1, 2.5, true], "Other": "hay", "a.b": ["c\\d": 1],
    ]

    private func report() async throws -> Report {
      try await Report(["list.plist": document(Self.list)])
    }

    @Test("it shows values with their types, and their number in containers")
    func rows() async throws {
      let report = try await report()
      let rows = try await report.rows()
      #expect(
        rows.map { "\($0.level) \($0.label) \($0.type) \($0.value)" } == [
          "1 Root dictionary 5 keys", "2 Name string Needle in a haystack",
          "2 Nested dictionary 1 key", "3 Deep dictionary 1 key", "4 Deeper string another needle",
          "2 Numbers array 3 elements", "3 0 integer 1", "3 1 real 2.5", "3 2 boolean true",
          "2 Other string hay", "2 a.b dictionary 1 key", "3 c\\d integer 1",
        ])
      #expect(rows.filter(\.isSelected).map(\.label) == ["Root"])
      #expect(report.page.problems == [])
    }

    @Test("the mouse expands and collapses")
    func mouse() async throws {
      let report = try await report()
      try await report.page.click("\(report.row("Nested")).querySelector('.arrow')")
      #expect(
        try await report.labels() == [
          "Root", "Name", "Nested", "Numbers", "0", "1", "2", "Other", "a.b", "c\\d",
        ])
      #expect(try await report.rows().first { $0.label == "Nested" }?.isExpanded == false)
      try await report.page.click("\(report.row("Nested")).querySelector('.arrow')")
      #expect(try await report.labels().contains("Deeper"))
      try await report.page.click("collapse")
      #expect(try await report.labels() == ["Root", "Name", "Nested", "Numbers", "Other", "a.b"])
      try await report.page.click("expand")
      #expect(try await report.labels().count == 12)
      #expect(report.page.problems == [])
    }

    @Test("the keyboard moves, expands and collapses as in trees of WAI-ARIA")
    func keyboard() async throws {
      let report = try await report()
      let page = report.page
      try await page.click(report.row("Root"))
      try await page.press(.down, .down)
      #expect(try await report.selected() == "Nested")
      try await page.press(.left)
      #expect(try await report.rows().first { $0.isSelected }?.isExpanded == false)
      #expect(try await report.labels().contains("Deep") == false)
      try await page.press(.right)
      #expect(try await report.labels().contains("Deep"))
      try await page.press(.right)
      #expect(try await report.selected() == "Deep")
      try await page.press(.left, .left)
      #expect(try await report.selected() == "Nested")
      try await page.press(.end)
      #expect(try await report.selected() == "c\\d")
      try await page.press(.home)
      #expect(try await report.selected() == "Root")
      // At once, since letters that are typed later begin a new word.
      try await page.run(
        "for (const key of 'nu') tree.dispatchEvent(new KeyboardEvent('keydown', { key }))")
      #expect(try await report.selected() == "Numbers")
      let focus: String? = try await page.run("return document.activeElement?.id")
      #expect(focus == "tree")
      #expect(
        try await page.run(
          """
          const id = document.activeElement.getAttribute('aria-activedescendant');
          return document.getElementById(id).querySelector('.label').textContent
          """) == "Numbers")
      #expect(page.problems == [])
    }

    @Test(
      "the search finds keys and values, in collapsed parts, too, and goes from one to the next")
    func search() async throws {
      let report = try await report()
      let page = report.page
      try await page.click("collapse")
      try await page.click("query")
      try await page.type("needle")
      try await page.wait(until: "matches.textContent.includes('2')")
      try await page.press(.enter)
      let first = try await report.selected()
      try await page.press(.enter)
      let second = try await report.selected()
      #expect(Set([first, second]) == ["Name", "Deeper"])
      #expect(
        try await page.run(
          "return [...document.querySelectorAll('#tree mark')].map(mark => mark.textContent)")
          == ["Needle", "needle"])
      try await page.run("query.value = ''; query.dispatchEvent(new Event('input'))")
      try await page.click("query")
      try await page.type("no such thing")
      try await page.wait(until: "/^(no|0)/i.test(matches.textContent)")
      #expect(page.problems == [])
    }

    @Test("it copies key paths that plutil takes", arguments: [true, false])
    func copying(isAllowed: Bool) async throws {
      let report = try await report()
      let page = report.page
      // Without the permission the page copies a selection.
      if isAllowed { try await page.allowClipboard() }
      try await page.click(report.row("c\\\\d"))
      try await page.pressControl("c")
      try await page.wait(until: "/copied/i.test(announcement.textContent)")
      try await page.allowClipboard()
      let path: String = try await page.run("return await navigator.clipboard.readText()")
      #expect(path == #"a\.b.c\\d"#)
      try await Report.run(
        "plutil", ["-extract", path, "raw", "-o", "value", "list.plist"], in: report.folder)
      #expect(try report.folder.text("value").hasPrefix("1"))
      #expect(page.problems == [])
    }
  }
}
