import Foundation
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
      // Typed quickly, because letters that come later begin a new word.
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

    @Test("hexadecimal digits find whole bytes, and an odd digit the first half of one")
    func hexadecimalSearch() async throws {
      let report = try await Report([
        "list.plist": document([
          "digits": "dead", "halves": .data(Data([0x0D, 0xEA, 0xD0])),
          "shifted": .data(Data([0xDE, 0xBA, 0xAD])),
          "whole": .data(Data([1, 0xDE, 0xAD, 0xB7, 0x80])),
        ])
      ])
      let page = report.page
      for (query, labels) in [
        ("dead", ["digits", "whole"]), ("0xDE AD", ["whole"]), ("deadb", ["whole"]),
        ("de", ["digits", "shifted", "whole"]),
        ("b780", ["whole"]), ("0d ea d0", ["halves"]), ("dead8", []),
        ("ad", ["digits", "shifted", "whole"]),
      ] {
        try await page.run("query.value = '\(query)'; query.dispatchEvent(new Event('input'))")
        // The search begins a while after the last key.
        try await page.wait(until: "matches.textContent === '' || matches.textContent === '…'")
        try await page.wait(until: "/match(es)?$/.test(matches.textContent)")
        try await page.click("query")
        var found: [String] = []
        for _ in labels {
          found.append(try #require(try await report.selected()))
          try await page.press(.enter)
        }
        #expect(found.sorted() == labels, "\(query)")
        #expect(
          try await report.text(of: "#matches").hasSuffix(
            labels.isEmpty
              ? "no matches" : " \(labels.count) match" + (labels.count == 1 ? "" : "es")))
        try await page.run("query.value = ''; query.dispatchEvent(new Event('input'))")
        try await page.wait(until: "matches.textContent === ''")
      }
      #expect(page.problems == [])
    }

    @Test("the search looks at the clock after each value, which may be large")
    func searchPauses() async throws {
      let list = (0..<60).map { PlistValue.data(Data([UInt8($0), UInt8($0)])) }
      let report = try await Report(["list.plist": document(.array(list))])
      let page = report.page
      // Each value takes a millisecond of this clock, and a piece of the search has eight.
      let pauses: Int = try await page.run(
        """
        const { setTimeout } = window;
        let [pauses, time] = [0, 0];
        performance.now = () => time += 1;
        window.setTimeout = (action, delay) => {
          if (delay === undefined) pauses += 1;
          return setTimeout(action, delay);
        };
        query.value = '3b3b';
        query.dispatchEvent(new Event('input'));
        const end = Date.now() + 60_000;
        while (!/1 match$/.test(matches.textContent) && Date.now() < end)
          await new Promise(done => setTimeout(done, 5));
        delete performance.now;
        window.setTimeout = setTimeout;
        return pauses;
        """)
      #expect(try await report.text(of: "#matches").hasSuffix("1 match"))
      #expect(pauses > 5)
      #expect(page.problems == [])
    }

    @Test("the key of a deep value can be seen")
    func depth() async throws {
      var value: PlistValue = ["innermost": true]
      for level in (0..<40).reversed() { value = ["level \(level)": value] }
      let report = try await Report(["list.plist": document(value)], width: 910)
      let hidden: [String] = try await report.page.run(
        """
        const isSeen = (element) => {
          const box = element.getBoundingClientRect();
          return element.contains(document.elementFromPoint(box.x + 4, box.y + box.height / 2));
        };
        return [...document.querySelectorAll('#tree [role=treeitem]')]
          .filter(row => row.getBoundingClientRect().bottom < innerHeight
            && !(isSeen(row.querySelector('.label')) && isSeen(row.querySelector('.arrow'))))
          .map(row => row.textContent);
        """)
      #expect(hidden == [])
      #expect(try await report.rows().count > 28)
    }

    @Test("empty texts and keys can be seen")
    func emptyTexts() async throws {
      let report = try await Report(["list.plist": document(["": "", "a": ""])])
      #expect(try await report.rows().map(\.label) == ["Root", "“”", "a"])
      #expect(try await report.rows().map(\.value) == ["2 keys", "“”", "“”"])
      let names = try await report.page.accessibleElements().filter { $0.role == "treeitem" }.map(
        \.name)
      #expect(names.dropFirst() == ["empty key, string, empty", "a, string, empty"])
    }

    @Test("many warnings about one container look through it once")
    func warnings() async throws {
      let folder = try TemporaryFolder()
      let count = 2000
      let entries = (0..<count).map { "<key>k\($0)</key><true/>" }.joined()
      try folder.write("<plist><dict>\(entries)\(entries)</dict></plist>", to: "list.plist")
      try await Report.run("plutil", ["-inspect", "-o", "report.html", "list.plist"], in: folder)
      let page = try await Page()
      // Counts how often the page asks for the key of a value.
      try await page.call(
        "Page.addScriptToEvaluateOnNewDocument",
        [
          "source": """
          globalThis.readCount = 0;
          const { parse } = JSON;
          JSON.parse = (text) => {
            const json = parse(text);
            if (json.tree) {
              json.tree.names = new Proxy(json.tree.names, {
                get: (names, index) => (readCount += 1, names[index]),
              });
            }
            return json;
          };
          """
        ])
      try await page.open(folder.path("report.html"))
      try await page.wait(until: Report.isReady)
      let report = Report(folder: folder, page: page)
      #expect(try await report.text(of: "#problems").contains("further warnings"))
      #expect(try await page.run("return readCount") < 4 * count)
      try await page.click("document.querySelectorAll('#problems button')[99]")
      #expect(try await report.selected() == "k99")
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
