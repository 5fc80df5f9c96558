import Foundation
import PropertyList
import TestSupport
import Testing

extension BrowserTests {
  /// Shows that the driver would detect what the other tests expect not to happen.
  @Suite("the driver of the browser")
  struct DriverTests {
    private let folder: TemporaryFolder

    init() throws {
      folder = try TemporaryFolder()
    }

    private func page(_ html: String) async throws -> Page {
      try folder.write("<!doctype html><meta charset=utf-8>" + html, to: "page.html")
      let page = try await Page()
      try await page.open(folder.path("page.html"))
      return page
    }

    @Test("it runs functions, waits for what they promise, and decodes what they return")
    func script() async throws {
      let page = try await page("<title>A page</title>")
      #expect(try await page.run("return document.title") == "A page")
      #expect(try await page.run("return [1, 2.5]") == [1, 2.5])
      #expect(try await page.run("return null", returning: String?.self) == nil)
      #expect(try await page.run("return await new Promise(done => setTimeout(done, 1, 7))") == 7)
      await #expect(throws: BrowserProcess.Failure.self) {
        try await page.run("throw new Error('no')")
      }
      #expect(page.problems == [])
    }

    @Test(
      "it sees what a page prints, throws, asks for, and what its policy refuses",
      arguments: [
        ("<script>console.warn('printed')</script>", "printed"),
        ("<script>missing()</script>", "missing is not defined"),
        ("<script>Promise.reject(new Error('late'))</script>", "late"),
        ("<img src='http://127.0.0.1:9/image'>", "request: http://127.0.0.1:9/image"),
        (
          "<meta http-equiv=Content-Security-Policy content=\"default-src 'none'\">"
            + "<img src='data:,x'>",
          "refused by the policy"
        ),
        (
          "<meta http-equiv=Content-Security-Policy content=\"script-src 'nonce-1'\"><b onclick='x()'></b>"
            + "<script>run()</script>",
          "ContentSecurityPolicyIssue"
        ),
      ])
    func problems(html: String, problem: String) async throws {
      let page = try await page(html)
      let isSeen = await eventually { page.problems.contains { $0.contains(problem) } }
      #expect(isSeen, "\(page.problems)")
    }

    @Test("it sees how long a page is busy")
    func busy() async throws {
      let page = try await page(
        """
        <button id=work onclick="
          const end = performance.now() + 120;
          while (performance.now() < end);
        ">Work</button>
        """)
      #expect(try await page.run("return busyTimes", returning: [Double].self).isEmpty)
      try await page.click("work")
      try await page.wait(until: "busyTimes.some(time => time >= 100)")
    }

    @Test("it gives up on what a page does not finish, and goes on")
    func deadline() async throws {
      let page = try await page("")
      await #expect {
        try await page.call(
          "Runtime.evaluate", ["expression": "new Promise(() => {})", "awaitPromise": true],
          within: .seconds(1))
      } throws: { error in
        "\(error)" == "Runtime.evaluate: no answer in time"
      }
      #expect(try await page.run("return 1") == 1)
    }

    @Test("a browser ends with all its processes")
    func end() async throws {
      var browser: BrowserConnection? = try BrowserConnection()
      try await browser?.call("Browser.getVersion")
      let process = try #require(browser?.processIdentifier)
      #expect(kill(-process, 0) == 0)
      browser = nil
      let hasEnded = await eventually { kill(-process, 0) != 0 && errno == ESRCH }
      #expect(hasEnded)
    }

    @Test("it types, presses keys and clicks")
    func input() async throws {
      let page = try await page(
        """
        <input id=field><button id=button>Press</button><div style='height: 4000px'></div>
        <button id=below>Below</button>
        <script>
        globalThis.seen = [];
        document.onkeydown = event => seen.push(event.key);
        for (const button of document.querySelectorAll('button'))
          button.onclick = () => seen.push(button.textContent);
        </script>
        """)
      try await page.click("field")
      try await page.type("aé1")
      #expect(try await page.run("return field.value") == "aé1")
      try await page.press(.tab, .enter, .down)
      try await page.click("below")
      #expect(
        try await page.run("return seen")
          == ["a", "é", "1", "Tab", "Enter", "Press", "ArrowDown", "Below"])
    }

    @Test("it shows themes, finds faint text, and takes pictures")
    func looks() async throws {
      let page = try await page(
        """
        <style>
        @media (prefers-color-scheme: dark) { body { background: #000; color: #fff } }
        @media print { p { display: none } }
        p { color: #888; background: #fff }
        i { color: rgb(0 0 0 / 0.2) }
        </style>clear<p>faint</p>
        """)
      try await page.show(.light)
      #expect(try await page.texts().map(\.text) == ["faint"])
      let light = try await page.picture()
      try await page.show(.dark)
      #expect(try await page.texts().map(\.background) == ["255,255,255"])
      #expect(try await page.picture() != light)
      try await page.show(.light, printed: true)
      #expect(try await page.texts().isEmpty)
      #expect(try await page.paper().starts(with: "%PDF".utf8))
    }

    @Test("it reads what screen readers present")
    func accessibility() async throws {
      let page = try await page(
        """
        <ul role=tree aria-label=Values>
        <li role=treeitem aria-level=2 aria-expanded=true aria-label=one>
        </ul>
        """)
      let elements = try await page.accessibleElements()
      #expect(elements.contains { $0.role == "tree" && $0.name == "Values" })
      #expect(
        elements.contains(
          AccessibleElement(role: "treeitem", name: "one", level: 2, isExpanded: true)))
    }
  }
}
