import Foundation
import PropertyList
import TestSupport
import Testing

extension BrowserTests {
  @Suite("a page about a file that cannot be parsed")
  struct BrokenFileTests {
    /// Files with an error, the character or byte that is marked, and the line of it; 0 among bytes.
    private static let files: [(name: String, data: Data, mark: String, line: Int)] = {
      let strings = "\"a\" = \"b\";\n\"c\" = \"\u{E4}\"? \"d\" = \"e\";\n"
      let xml = "<plist>\n<array><string>\u{E4}</string><integer>y</integer></array></plist>"
      let latin1 = "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>\n\(xml)"
      let long = String(repeating: "\u{E4}", count: 550_000)
      let lines = String(repeating: "a = b;\r", count: 160_000)
      let windowsLines = lines.replacing("\r", with: "\r\n")
      func encoded(_ text: String, _ encoding: String.Encoding = .utf8) -> Data {
        text.data(using: encoding) ?? Data()
      }
      return [
        ("UTF-16", encoded("\u{FEFF}\(strings)", .utf16LittleEndian), "?", 2),
        ("XML in UTF-16", encoded("\u{FEFF}\(xml)", .utf16BigEndian), "y", 2),
        ("UTF-32", encoded("\u{FEFF}\(strings)", .utf32LittleEndian), "?", 2),
        ("ISO-8859-1", encoded(latin1, .isoLatin1), "y", 3),
        ("a byte-order mark", encoded("\u{FEFF}{ a = ?; }"), "?", 1),
        ("a NUL", encoded("{ a = \"b\u{0}\u{E4}\"; c = ?; }"), "3f", 0),
        ("an invalid byte", encoded("{ \u{E4} = \"b") + [0xFF] + encoded("\"; }"), "ff", 0),
        ("a long line", encoded("{ a = \"\(long)\"; b = ?; c = \"\(long)\"; }"), "?", 1),
        ("one byte on", encoded("{ aa = \"\(long)\"; b = ?; c = \"\(long)\"; }"), "?", 1),
        ("the end of a long line", encoded("{ a = \"\(long)\"; b = ? }"), "?", 1),
        ("lines with CR", encoded("{\r\(lines)c = ?;\r\(lines)}"), "?", 160_002),
        ("lines with CRLF", encoded("{\r\n\(windowsLines)c = ?;\r\n}"), "?", 160_002),
      ]
    }()

    @Test("the error is marked where it can be seen, in any encoding", arguments: files.indices)
    func mark(index: Int) async throws {
      let file = Self.files[index]
      let report = try await Report(["broken.plist": file.data])
      let page = report.page
      let mark: String = try await page.run(
        """
        const mark = document.querySelector('#source .digits .error-mark, #source mark');
        const box = mark.getBoundingClientRect();
        const found = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
        return mark.contains(found) ? mark.textContent.trim() : 'out of sight';
        """)
      #expect(mark == file.mark, "\(file.name)")
      let line = try await report.text(of: "#source .error-line .offset")
      #expect(line == (file.line == 0 ? "" : String(file.line)), "\(file.name)")
      #expect(page.problems == [])
    }

    @Test("the mark can be seen in a narrow window behind many tabs")
    func tabs() async throws {
      let text = "{\n" + String(repeating: "\t", count: 40) + "a = ?; b = c; }\n"
      let report = try await Report(
        ["a.plist": Data(text.utf8), "b.plist": document("text")], width: 910)
      let isSeen: Bool = try await report.page.run(
        """
        const mark = document.querySelector('#source mark');
        const box = mark.getBoundingClientRect();
        return document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2) === mark;
        """)
      #expect(isSeen)
      #expect(try await report.text(of: "#source .error-line").contains("a = ?; b = c; }"))
    }

    @Test("tabs before an error are as wide as elsewhere")
    func tabWidth() async throws {
      let text = "{\n\tx\t= a;\n\tx\t= ?;\n}\n"
      let report = try await Report(["a.plist": Data(text.utf8)])
      let places: [Double] = try await report.page.run(
        """
        const lines = [...document.querySelectorAll('#source .source-line')].slice(1, 3);
        return lines.flatMap(line => {
          const texts = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
          const node = texts.nextNode();
          return ['x', '='].map(letter => {
            const range = document.createRange();
            const start = node.data.search(letter);
            range.setStart(node, start);
            range.setEnd(node, start + 1);
            return Math.round(range.getBoundingClientRect().x * 10) / 10;
          });
        });
        """)
      #expect(places.count == 4)
      #expect(places.prefix(2) == places.suffix(2), "\(places)")
      #expect(places[0] < places[1])
    }

    @Test("the bytes of a property list that is too large to be shown are shown")
    func tooLarge() async throws {
      let report = try await Report(["list.plist": document([7, 8], .binary)])
      let page = report.page
      let error = "\"error\":{\"message\":\"too large\",\"path\":[]}"
      let text = try report.folder.text("report.html")
      try report.folder.write(
        text.replacing("\"tree\":{", with: "\(error),\"other\":{"), to: "large.html")
      try await page.open(report.folder.path("large.html"))
      try await page.wait(until: Report.isReady)
      #expect(try await report.text(of: "#problems") == "too large")
      try await page.click("document.getElementById('tab-bytes')")
      #expect(try await report.text(of: ".map-summary").contains("3 objects"))
      try await page.click("document.querySelectorAll('.parts [role=option]')[1]")
      #expect(try await report.text(of: ".parts .lit .part-name") == "object 0")
      #expect(page.problems == [])
    }
  }
}
