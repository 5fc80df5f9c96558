import Foundation
import PropertyList
import TestSupport
import Testing

extension BrowserTests {
  @Suite("pages about documents of other kinds")
  struct DocumentKindTests {
    /// A binary document of five objects, one of them unreferenced, and a gap of two bytes.
    private static var binary: Data {
      get throws {
        var bytes = Data("bplist00".utf8)
        var offsets: [UInt8] = []
        for object: [UInt8] in [
          [0xD1, 1, 2], Array("\u{53}key".utf8), Array("\u{55}value".utf8), [0x10, 7],
        ] {
          offsets.append(UInt8(bytes.count))
          bytes += object
        }
        bytes += [0xAA, 0xBB]
        let table = bytes.count
        bytes += offsets
        bytes += [0, 0, 0, 0, 0, 0, 1, 1]
        for number in [offsets.count, 0, table] {
          bytes += withUnsafeBytes(of: UInt64(number).bigEndian) { Data($0) }
        }
        return bytes
      }
    }

    @Test("what is under the mouse in the tree or in the bytes is marked in both")
    func map() async throws {
      let report = try await Report(["list.plist": Self.binary])
      let page = report.page
      #expect(try await report.labels() == ["Root", "key"])
      try await page.click("document.getElementById('tab-bytes')")
      let parts: [String] = try await page.run(
        """
        return [...document.querySelectorAll('.parts [role=option]')].map(row =>
          row.querySelector('.part-name').textContent +
          [...row.querySelectorAll('.badge')].map(badge => ' ' + badge.textContent).join(''));
        """)
      #expect(
        parts == [
          "header", "object 0 top", "object 1", "object 2", "object 3 unreferenced", "gap",
          "offset table", "trailer",
        ])
      try await page.hover(report.row("key"))
      try await page.wait(until: "document.querySelector('.map-hex .lit')")
      let value = try await lit(page)
      #expect(value == ["object 2", "55 76 61 6c 75 65", "key"])
      try await page.hover(
        """
        [...document.querySelectorAll('.map-hex .digits span')]
          .find(span => span.textContent.startsWith('53'))
        """)
      let key = try await lit(page)
      #expect(key == ["object 1", "53 6b 65 79", "key"])
      try await page.hover("document.getElementById('name')")
      #expect(try await lit(page) == ["", "", ""])
      #expect(page.problems == [])
    }

    @Test("each part of the bytes can be selected, keys as well as values")
    func selectedParts() async throws {
      let report = try await Report(["list.plist": document(["a": 1, "b": 2], .binary)])
      let page = report.page
      try await page.click("document.getElementById('tab-bytes')")
      let parts: [String] = try await page.run(
        "return [...document.querySelectorAll('.part-name')].map(name => name.textContent)")
      #expect(parts.count == 8)
      try await page.run("document.querySelector('.parts').focus()")
      try await page.press(.home)
      var selected = [try await report.text(of: ".parts [aria-selected=true] .part-name")]
      for _ in parts.dropFirst() {
        try await page.press(.down)
        selected.append(try await report.text(of: ".parts [aria-selected=true] .part-name"))
      }
      #expect(selected == parts)
      for part in parts.reversed().dropFirst() {
        try await page.press(.up)
        #expect(try await report.text(of: ".parts [aria-selected=true] .part-name") == part)
      }
      // The bytes of the key `b`.
      try await page.click(
        """
        [...document.querySelectorAll('.map-hex .digits span')]
          .find(span => span.textContent.trim() === '62')
        """)
      #expect(try await lit(page).dropFirst() == ["51 62", "b"])
      #expect(try await report.selected() == "b")
      #expect(page.problems == [])
    }

    /// The texts of what is marked: the part, its bytes, and the row of the tree.
    private func lit(_ page: Page) async throws -> [String] {
      try await page.run(
        """
        await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
        const text = selector =>
          [...document.querySelectorAll(selector)].map(found => found.textContent.trim()).join(' ');
        return [
          text('.parts .lit .part-name'), text('.map-hex .digits .lit'), text('#tree .lit .label'),
        ];
        """)
    }

    @Test("a keyed archive is a graph, in which references lead to their objects")
    func archive() async throws {
      let archive: PlistValue = [
        "$version": 100_000, "$archiver": "NSKeyedArchiver", "$top": ["root": .uid(1)],
        "$objects": [
          "$null", ["$class": .uid(3), "name": .uid(2), "self": .uid(1)], "Ada",
          ["$classname": "Person", "$classes": ["Person", "NSObject"]],
        ],
      ]
      let report = try await Report(["archive.plist": document(archive, .binary)])
      let page = report.page
      try await page.click("document.querySelectorAll('#views button')[1]")
      let labels = try await report.labels()
      #expect(labels.contains("name") && labels.contains("self"))
      #expect(try await report.rows().contains { $0.value.contains("Person") })
      try await page.click(report.row("self"))
      try await page.press(.enter)
      #expect(try await report.selected() == "root")
      #expect(page.problems == [])
    }

    @Test("two files are side by side, with their differences")
    func comparison() async throws {
      let report = try await Report(
        [
          "a.plist": document(["same": 1, "changed": "old", "gone": true]),
          "b.plist": document(["same": 1, "changed": "new", "new": [1]], .binary),
        ], arguments: ["--compare", "a.plist", "b.plist"])
      let page = report.page
      #expect(try await report.labels().contains("same") == false)
      try await page.click("only")
      let rows: [[String]] = try await page.run(
        """
        return [...document.querySelectorAll('#tree [role=treeitem]')].slice(1).map(row => [
          row.querySelector('.label').textContent,
          ['same', 'changed', 'removed', 'added'].find(state => row.classList.contains(state)),
          row.querySelector('.first, .value').textContent, row.querySelector('.second').textContent,
        ]);
        """)
      #expect(rows.contains(["same", "same", "1", "1"]))
      #expect(rows.contains(["changed", "changed", "old", "new"]))
      #expect(rows.contains(["gone", "removed", "true", ""]))
      #expect(rows.contains { $0.starts(with: ["new", "added", ""]) })
      #expect(page.problems == [])
    }

    @Test("a file that cannot be parsed is shown with the error at its place")
    func broken() async throws {
      let text =
        "<plist version=\"1.0\">\n<dict>\n<key>k</key>\n<integer>4x</integer>\n</dict></plist>"
      let report = try await Report(["broken.plist": Data(text.utf8)])
      #expect(try await report.text(of: "#problems").contains("line 4"))
      #expect(
        try await report.text(of: "#source .error-line").contains("<integer>4x</integer>"))
      #expect(try await report.text(of: "#source .error-message").contains("integer"))
      #expect(report.page.problems == [])
      let binary = try await Report(["broken.plist": Self.binary.dropLast(3)])
      #expect(try await binary.text(of: "#problems").isEmpty == false)
      #expect(try await binary.text(of: "#source").contains("62 70 6c 69 73 74 30 30"))
      #expect(binary.page.problems == [])
    }

    @Test("the key path of a value that only the second file has is its path there")
    func comparedPath() async throws {
      let report = try await Report(
        [
          "a.plist": document(["list": ["gone", "same", ["old": 1]]]),
          "b.plist": document(["list": ["same", ["old": 1, "new": 2]]]),
        ], arguments: ["--compare", "a.plist", "b.plist"])
      let page = report.page
      try await page.allowClipboard()
      for (label, path) in [("new", "list.1.new"), ("gone", "list.0")] {
        try await page.click(
          """
          [...document.querySelectorAll('#tree [role=treeitem]')]
            .find(row => row.getAttribute('aria-label').includes('\(label)')
              || row.querySelector('.value').textContent === '\(label)')
          """)
        try await page.run("await navigator.clipboard.writeText('')")
        try await page.pressControl("c")
        try await page.wait(until: "await navigator.clipboard.readText()")
        #expect(try await page.run("return await navigator.clipboard.readText()") == path)
        #expect(try await report.text(of: "#detail .path code") == path)
      }
      #expect(page.problems == [])
    }

    @Test("data is shown as digits, text, image or property list")
    func data() async throws {
      let image = try #require(
        Data(
          base64Encoded:
            "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
        ))
      let list: PlistValue = [
        "image": .data(image), "inner": .data(try document(["in": "side"], .binary)),
        "text": .data(Data("plain text".utf8)),
      ]
      let report = try await Report(["list.plist": document(list)])
      let page = report.page
      try await page.click(report.row("image"))
      try await page.wait(until: "document.querySelector('#detail img')?.naturalWidth === 1")
      try await page.click(report.row("inner"))
      try await page.press(.right)
      try await page.wait(until: "Boolean(\(report.row("Property list")))")
      #expect(try await report.labels().contains("in"))
      try await page.click(report.row("text"))
      #expect(try await report.text(of: "#detail .data-hex").contains("70 6c 61 69 6e"))
      #expect(page.problems == [])
    }
  }
}
