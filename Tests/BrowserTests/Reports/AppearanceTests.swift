import Foundation
import PropertyList
import TestSupport
import Testing

extension BrowserTests {
  @Suite("the looks of pages")
  struct AppearanceTests {
    /// The kinds of pages.
    enum Kind: CaseIterable {
      case values, binary, comparison, broken, files

      func report(width: Int = 1280) async throws -> Report {
        let list: PlistValue = [
          "string": .string(String(repeating: "A long text. ", count: 50)), "integer": 1,
          "real": 1.5, "boolean": true, "date": .date(Date(timeIntervalSinceReferenceDate: 0)),
          "data": .data(Data(0..<200)), "array": [1, [2, [3]]], "empty": [:],
          "a key that is so long that it does not fit into the column for keys": "value",
        ]
        let other: PlistValue = ["string": "other", "integer": 1, "added": [true]]
        return switch self {
        case .values:
          try await Report(
            [
              "list.plist": Data(
                "<plist version=\"1.0\"><dict><key>a</key><string>b</string><key>a</key><true/></dict></plist>"
                  .utf8), "more.plist": document(list),
            ], width: width)
        case .binary: try await Report(["list.plist": document(list, .binary)], width: width)
        case .comparison:
          try await Report(
            ["a.plist": document(list), "b.plist": document(other)],
            arguments: ["--compare", "a.plist", "b.plist"], width: width)
        case .broken:
          try await Report(
            ["broken.plist": Data("{\n  a = b;\n  c = ;\n}\n".utf8)], width: width)
        case .files:
          try await Report(
            [
              "a.plist": document(list), "b.plist": document(other, .json),
              "c.plist": Data("{".utf8),
            ], width: width)
        }
      }
    }

    private func expectReadable(
      _ page: Page, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
      let faint = try await page.texts(below: 4.5).map(\.description)
      #expect(faint == [], sourceLocation: sourceLocation)
    }

    @Test("all text can be read, in both themes", arguments: Kind.allCases, Page.Theme.allCases)
    func contrast(kind: Kind, theme: Page.Theme) async throws {
      let report = try await kind.report()
      let page = report.page
      try await page.show(theme)
      try await expectReadable(page)
      let luminance: Double = try await page.run(
        """
        const [r, g, b] = getComputedStyle(document.body).backgroundColor
          .match(/[0-9.]+/g).map(Number);
        return (r + g + b) / 3;
        """)
      #expect((luminance < 100) == (theme == .dark))
      // What is marked can be read as well.
      if kind != .broken {
        try await page.click("query")
        try await page.type("a")
        try await page.press(.enter)
        try await page.hover("document.querySelectorAll('#tree [role=treeitem]')[1]")
        try await expectReadable(page)
      }
      #expect(page.problems == [])
    }

    @Test("the switch changes the theme, whatever the system's is")
    func themeSwitch() async throws {
      let page = try await Kind.values.report().page
      try await page.show(.light)
      let background = "return getComputedStyle(document.body).backgroundColor"
      let light: String = try await page.run(background)
      try await page.run("theme.value = 'dark'; theme.dispatchEvent(new Event('change'))")
      let dark: String = try await page.run(background)
      #expect(light != dark)
      try await page.show(.dark)
      #expect(try await page.run(background) == dark)
      try await page.run("theme.value = 'light'; theme.dispatchEvent(new Event('change'))")
      #expect(try await page.run(background) == light)
    }

    @Test(
      "nothing covers anything else or lies outside of the window", arguments: Kind.allCases,
      [1280, 760])
    func layout(kind: Kind, width: Int) async throws {
      let page = try await kind.report(width: width).page
      let found: [String] = try await page.run(
        """
        const found = [];
        const name = element => element.id || element.className || element.tagName;
        const root = document.documentElement;
        if (root.scrollWidth > root.clientWidth) found.push('the page is wider than the window');
        const visible = selector => [...document.querySelectorAll(selector)]
          .filter(element => element.checkVisibility() && element.getClientRects().length > 0
            && !element.closest('.hidden, .skip'));
        const overlap = (elements) => {
          const boxes = elements.map(element => [element, element.getBoundingClientRect()])
            .filter(([, box]) => box.width > 1 && box.height > 1);
          boxes.forEach(([element, box], index) => {
            if (box.left < -1 || box.right > innerWidth + 1) found.push(`${name(element)} is outside`);
            for (const [other, that] of boxes.slice(index + 1)) {
              const width = Math.min(box.right, that.right) - Math.max(box.left, that.left);
              const height = Math.min(box.bottom, that.bottom) - Math.max(box.top, that.top);
              if (width > 1 && height > 1) found.push(`${name(element)} covers ${name(other)}`);
            }
          });
        };
        overlap(visible('body > header, body > nav, body > main, body > aside'));
        overlap(visible('button, input, select, h1, #matches'));
        const rows = visible('#tree [role=treeitem]');
        overlap(rows);
        for (const row of rows) overlap([...row.children]);
        return found;
        """)
      #expect(found == [])
    }

    @Test("a long summary leaves room for the name, and a long name for the summary")
    func heading() async throws {
      let profile: PlistValue = [
        "Entitlements": [:], "TeamIdentifier": ["ABCDE12345"],
        "Name": .string(String(repeating: "Example ", count: 20)),
      ]
      let report = try await Report(["Example.mobileprovision": document(profile)])
      let cut: [Bool] = try await report.page.run(
        "return [...heading.children].map(text => text.scrollWidth > text.clientWidth)")
      #expect(cut == [false, true])
      try await report.page.run("document.getElementById('name').textContent = 'x'.repeat(500)")
      let box: [Double] = try await report.page.run(
        "return [heading, summary].map(text => text.getBoundingClientRect().width)")
      #expect(box[1] > box[0] / 10)
    }

    @Test("screen readers get roles, names, levels, and what is expanded")
    func accessibility() async throws {
      let report = try await Report([
        "list.plist": document(["outer": ["inner": "text"], "empty": []])
      ])
      let elements = try await report.page.accessibleElements()
      let items = elements.filter { $0.role == "treeitem" }
      #expect(
        items.map { "\($0.level ?? 0) \($0.name)" } == [
          "1 Root, dictionary, 2 keys", "2 empty, array, empty", "2 outer, dictionary, 1 key",
          "3 inner, string, text",
        ])
      #expect(items.map(\.isExpanded) == [true, nil, true, nil])
      #expect(elements.contains { $0.role == "tree" && $0.name == "Values" })
      #expect(elements.contains { $0.role == "searchbox" && $0.name == "Search keys and values" })
      #expect(elements.contains { $0.role == "main" })
      #expect(elements.contains { $0.role == "link" && $0.name == "Skip to the values" })
      #expect(elements.contains { $0.role == "status" })
      for element in elements
      where ["button", "combobox", "searchbox", "tab"].contains(element.role) {
        #expect(!element.name.isEmpty, "\(element)")
      }
      try await report.page.click("\(report.row("outer")).querySelector('.arrow')")
      let collapsed = try await report.page.accessibleElements()
      #expect(collapsed.first { $0.name.hasPrefix("outer") }?.isExpanded == false)
    }

    @Test("everything can be reached with the keyboard, beginning with the link to the values")
    func focus() async throws {
      let page = try await Kind.files.report().page
      // The elements that the keyboard reaches, by their identifiers, and whether they are marked.
      var visited: [String: Bool] = [:]
      for _ in 0..<40 {
        try await page.press(.tab)
        let (name, isMarked): (String, Bool) = try await page.focused()
        if visited.updateValue(isMarked, forKey: name) != nil { break }
      }
      #expect(
        Set(visited.keys).isSuperset(of: ["skip", "query", "scope", "theme", "filter", "list"]))
      #expect(
        Set(visited.keys).isSuperset(of: ["expand", "collapse", "tree", "tab-value", "detail"]))
      #expect(visited.filter { !$0.value && $0.key != "" } == [:])
    }

    @Test("the keyboard stays where a button was that the page makes anew")
    func keptFocus() async throws {
      let archive: PlistValue = [
        "$version": 100_000, "$archiver": "NSKeyedArchiver", "$top": ["root": .uid(1)],
        "$objects": [
          "$null", ["$class": .uid(2), "self": .uid(1)],
          ["$classname": "Person", "$classes": ["Person", "NSObject"]],
        ],
      ]
      let report = try await Report(["archive.plist": document(archive, .binary)])
      let page = report.page
      for (button, focused) in [
        ("document.getElementById('tab-file')", "File"),
        ("document.getElementById('tab-value')", "Value"),
        ("document.querySelector('#detail button.link')", "parts"),
        ("document.querySelectorAll('#views button')[1]", "Objects"),
        ("document.querySelectorAll('#views button')[0]", "Values"),
      ] {
        try await page.run("\(button).focus()")
        try await page.press(.enter)
        #expect(
          try await page.run(
            """
            const { activeElement } = document;
            return activeElement.tagName === 'BUTTON' ? activeElement.textContent
              : activeElement.id || activeElement.classList[0] || activeElement.tagName;
            """) == focused)
      }
      try await page.click("document.querySelectorAll('#views button')[1]")
      try await page.click("document.getElementById('tab-value')")
      try await page.click(report.row("self"))
      try await page.run("document.querySelector('#detail > button').focus()")
      try await page.press(.enter)
      #expect(try await page.run("return document.activeElement.id") == "tree")
      #expect(try await report.selected() == "root")
      #expect(page.problems == [])
    }

    @Test("paper has the values and no controls")
    func paper() async throws {
      var list = PlistDictionary()
      for number in 0..<120 { list["key \(number)"] = .string("value \(number)") }
      let report = try await Report(["list.plist": document(.dictionary(list))])
      let page = report.page
      try await page.run("dispatchEvent(new Event('beforeprint'))")
      try await page.show(.dark, printed: true)
      let text: String = try await page.run("return document.body.innerText")
      for number in 0..<120 { #expect(text.contains("value \(number)")) }
      let controls: [String] = try await page.run(
        """
        return [...document.querySelectorAll('button, input, select')]
          .filter(element => element.checkVisibility()).map(element => element.outerHTML);
        """)
      #expect(controls == [])
      try await expectReadable(page)
      let background: String = try await page.run(
        "return getComputedStyle(document.body).backgroundColor")
      #expect(["rgb(255, 255, 255)", "rgba(0, 0, 0, 0)"].contains(background))
      try await page.run("dispatchEvent(new Event('afterprint'))")
      // More than one page of paper.
      let paper = String(decoding: try await page.paper(), as: UTF8.self)
      #expect(paper.firstMatch(of: /\/Count ([2-9]|\d\d)/) != nil)
      #expect(page.problems == [])
    }
  }
}

extension Page {
  /// The identifier or class of the element that the keyboard is at, empty for none, and whether it,
  /// or the row in it that is the active one, is marked.
  fileprivate func focused() async throws -> (name: String, isMarked: Bool) {
    let found: [String] = try await run(
      """
      const element = document.activeElement;
      if (element === document.body) return ['', ''];
      const row = document.getElementById(element.getAttribute('aria-activedescendant'));
      const isMarked = [element, row].filter(Boolean).map(getComputedStyle).some(style =>
        style.outlineStyle !== 'none' || style.boxShadow !== 'none');
      return [element.id || element.className, isMarked ? 'marked' : ''];
      """)
    return (found[0], !found[1].isEmpty)
  }
}
