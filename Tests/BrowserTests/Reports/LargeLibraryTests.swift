import Foundation
import PropertyList
import TestSupport
import Testing

extension BrowserTests {
  @Suite("a page about a library of 20 MB")
  struct LargeLibraryTests {
    /// A music library as XML, of 20 MB or a little more.
    private static func library() throws -> Data {
      var tracks = PlistDictionary()
      for number in 1...21_500 {
        let date = Date(timeIntervalSinceReferenceDate: Double(number) * 10_000)
        tracks[String(number)] = [
          "Track ID": .integer(Int64(number)), "Name": .string("Song \(number)"),
          "Artist": .string("Artist \(number % 977)"), "Album": .string("Album \(number / 12)"),
          "Genre": "Field recordings", "Kind": "MPEG audio file", "Size": .integer(4_000_000),
          "Total Time": .integer(Int64(number) * 7), "Track Number": .integer(Int64(number % 12)),
          "Year": 2001, "Date Modified": .date(date), "Date Added": .date(date), "Bit Rate": 320,
          "Sample Rate": 44_100, "Play Count": .integer(Int64(number % 50)), "Rating": .real(0.5),
          "Compilation": false,
          "Location": .string("file:///music/Artist%20\(number % 977)/Song%20\(number).mp3"),
        ]
      }
      return try document(["Major Version": 1, "Tracks": .dictionary(tracks)])
    }

    private struct Opening: Decodable {
      /// Milliseconds from the beginning to the first rows on the screen, and to the end of loading.
      var firstView: Double
      var load: Double
      var busy: [Double]
    }

    @Test("it opens, scrolls, expands and is searched without freezing")
    func library() async throws {
      let library = try Self.library()
      #expect(library.count >= 20_000_000)
      let folder = try TemporaryFolder()
      try folder.write(library, to: "library.plist")
      try await Report.run(
        "plutil", ["-inspect", "-o", "report.html", "library.plist"], in: folder)
      let size = try folder.data("report.html").count

      let page = try await Page()
      try await page.recordFirstView(of: "#tree [role=treeitem]")
      try await page.open(folder.path("report.html"))
      try await page.wait(until: Report.isReady)
      let opening: Opening = try await page.run(
        """
        await new Promise(done => setTimeout(done));
        return {
          firstView, load: performance.getEntriesByType('navigation')[0].loadEventEnd, busy: busyTimes,
        };
        """)
      let report = Report(folder: folder, page: page)

      // Only what can be seen has elements.
      let few = 1500
      #expect(try await page.elementCount() < few)
      try await page.run("busyTimes.length = 0")
      try await page.click(report.row("Tracks"))
      try await page.click("expand")
      #expect(try await page.elementCount() < few)
      try await page.press(.end)
      #expect(try await report.selected() != nil)
      #expect(try await page.elementCount() < few)
      for part in stride(from: 0.0, through: 1, by: 0.05) {
        try await page.run(
          """
          tree.scrollTop = (tree.scrollHeight - tree.clientHeight) * \(part);
          await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
          """)
        #expect(try await page.elementCount() < few)
      }
      let last = try await report.rows().last?.value
      #expect(last?.isEmpty == false)
      let scrolling: [Double] = try await page.run("return busyTimes.splice(0)")

      try await page.click("query")
      try await page.run("busyTimes.length = 0")
      try await page.type("song 21499")
      try await page.wait(until: "/\\b1 match$/.test(matches.textContent)")
      let searching: [Double] = try await page.run("return busyTimes.splice(0)")
      #expect(page.problems == [])

      print(
        """
        A library of \(library.count / 1_000_000) MB, a page of \(size / 1_000_000) MB: first view \
        after \(Int(opening.firstView)) ms (to be below 1500), all loaded after \
        \(Int(opening.load)) ms. Longest time without an answer: \
        \(Self.longest(opening.busy)) while opening, \(Self.longest(scrolling)) while \
        expanding and scrolling, \(Self.longest(searching)) while searching.
        """)
    }

    /// The longest of the times. Browsers report times of at least 50 ms.
    private static func longest(_ times: [Double]) -> String {
      times.max().map { "\(Int($0)) ms" } ?? "less than 50 ms"
    }
  }
}

extension Page {
  /// Has pages note when the first element of a selector has been painted, in milliseconds.
  fileprivate func recordFirstView(of selector: String) async throws {
    try await call(
      "Page.addScriptToEvaluateOnNewDocument",
      [
        "source": .string(
          """
          globalThis.firstView = 0;
          const look = () => {
            if (document.querySelector('\(selector)'))
              requestAnimationFrame(() => setTimeout(() => firstView = performance.now()));
            else requestAnimationFrame(look);
          };
          look();
          """)
      ])
  }

  /// The number of elements of the page.
  fileprivate func elementCount() async throws -> Int {
    try await run("return document.querySelectorAll('*').length")
  }
}
