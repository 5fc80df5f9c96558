import Foundation
import PropertyList
import TestSupport
import Testing

extension BrowserTests {
  @Suite("a page about preferences")
  struct PreferencesPageTests {
    private let folder: TemporaryFolder

    init() throws {
      folder = try TemporaryFolder()
      try folder.makeFolder("user/ByHost", "system")
    }

    /// Opens the page that `defaults inspect` makes.
    private func report(_ arguments: String...) async throws -> Report {
      try await Report.run(
        "defaults", ["inspect", "-o", "report.html"] + arguments, in: folder,
        environment: [
          "HOME": folder.path, "XDG_CONFIG_HOME": folder.path("user"),
          "XDG_CONFIG_DIRS": folder.path("system"), "XDG_DATA_HOME": folder.path("data"),
        ])
      let page = try await Page()
      try await page.open(folder.path("report.html"))
      try await page.wait(until: Report.isReady)
      return Report(folder: folder, page: page)
    }

    /// The rows of keys: label, value, layer, and whether the value is hidden.
    private func values(_ report: Report) async throws -> [[String]] {
      try await report.page.run(
        """
        return [...document.querySelectorAll('#tree [role=treeitem]')].slice(1).map(row => [
          row.querySelector('.label').textContent, row.querySelector('.value').textContent,
          row.querySelector('.layer')?.textContent ?? '',
          row.classList.contains('shadowed') ? 'hidden' : 'counts',
        ]);
        """)
    }

    @Test("it shows which value counts, its layer, and what it hides")
    func layers() async throws {
      try folder.write(document(["theme": "dark"]), to: "user/D.plist")
      try folder.write(
        document(["theme": "light", "size": 12]), to: "user/.GlobalPreferences.plist")
      try folder.write(
        document(["theme": "gray", "list": [1]], .binary), to: "system/D.plist")
      let report = try await report("D")
      #expect(
        try await values(report) == [
          ["list", "1 element", "system", "counts"], ["0", "1", "", "counts"],
          ["size", "12", "global", "counts"], ["theme", "dark", "user", "counts"],
          ["theme", "light", "global", "hidden"], ["theme", "gray", "system", "hidden"],
        ])
      #expect(try await report.rows().first?.value == "3 keys")
      let items = try await report.page.accessibleElements().filter { $0.role == "treeitem" }
      #expect(items.contains { $0.name == "theme, string, dark, layer user" })
      #expect(items.contains { $0.name == "theme, string, light, shadowed, layer global" })
      for theme in Page.Theme.allCases {
        try await report.page.show(theme)
        #expect(try await report.page.texts(below: 4.5).map(\.description) == [])
      }
      #expect(report.page.problems == [])
    }

    @Test("it begins with the settings that a manifest describes")
    func settings() async throws {
      try EditorManifest.install(in: folder)
      try folder.write(
        document(["tabWidth": 8, "token": "hunter2", "window": ["width": 640]]),
        to: "user/org.example.editor.plist")
      try folder.write(document(["theme": "dark"]), to: "system/org.example.editor.plist")
      let report = try await report("org.example.editor")
      func settings() async throws -> [[String]] {
        try await report.page.run(
          """
          return [...document.querySelectorAll('#settings .setting')].map(box => [
            box.querySelector('h3').textContent, box.querySelector('.setting-value')?.textContent ?? '',
            box.querySelector('.line > span:not(.layer)').textContent,
            box.querySelector('.layer')?.textContent ?? '',
          ]);
          """)
      }
      let changed = [
        ["Tab width tabWidth", "8 columns", "differs from the default", "user"],
        ["Window window", "", "set", "user"],
        ["window.width", "640", "differs from the default", "user"],
        ["token", "secret", "differs from the default", "user"],
      ]
      let all = try await settings()
      #expect(all.count == 13)
      #expect(all.prefix(2) == [changed[0], ["theme", "dark", "the default", "system"]])
      #expect(
        try await report.text(of: "#settings").hasPrefix("EditorA text editor.Tab width tabWidth"))
      #expect(try await report.text(of: "#count") == "13 settings, 3 changes")
      #expect(
        try await report.text(of: ".setting dl")
          == "typeintegerrange1 to 16 columnsdefault4example8targetsuser")
      try await report.page.click("document.querySelector('#changed')")
      #expect(try await settings() == changed)
      for theme in Page.Theme.allCases {
        try await report.page.show(theme)
        #expect(try await report.page.texts(below: 4.5).map(\.description) == [])
      }

      // A key links to its value among all values, with the description beside it.
      try await report.page.click("document.querySelector('#settings .link')")
      #expect(try await values(report).first == ["tabWidth", "8", "user", "counts"])
      #expect(
        try await report.text(of: "#detail .described").hasPrefix("Tab widthColumns of a tab."))
      #expect(try await report.text(of: "body").contains("hunter") == false)
      #expect(report.page.problems == [])
    }

    @Test("it shows the states of files, and why one cannot be read")
    func files() async throws {
      try folder.write("<plist><dict>", to: "user/D.plist")
      try folder.write(
        document(["size": 12]), to: "user/.GlobalPreferences.plist")
      let report = try await report("D")
      #expect(try await values(report) == [["size", "12", "global", "counts"]])
      #expect(
        try await report.text(of: "#problems").hasPrefix("user: \(folder.path("user/D.plist"))"))
      let text: String = try await report.page.run(
        """
        for (const tab of document.querySelectorAll('[role=tab]')) {
          tab.click();
          if (document.querySelector('.layer-box')) break;
        }
        return document.querySelector('#detail').textContent;
        """)
      for part in [
        folder.path("user/D.plist") + ": line 1 column ", "plutil -lint", "-rw", "there is no file",
        folder.path("user/.GlobalPreferences.plist"), "XML",
      ] {
        #expect(text.contains(part), "\(part)")
      }
      #expect(report.page.problems == [])
    }

    @Test("it lists all of the user's domains")
    func domains() async throws {
      for name in ["org.b", "org.a"] {
        try folder.write(document(["name": .string(name)]), to: "user/\(name).plist")
      }
      let report = try await report()
      let names: [String] = try await report.page.run(
        """
        return [...document.querySelectorAll('#list [role=option]')].map(row => row.textContent);
        """)
      #expect(names.count == 3)
      for (name, shown) in zip(["NSGlobalDomain", "org.a", "org.b"], names) {
        #expect(shown.contains(name))
      }
      try await report.page.click("document.querySelectorAll('#list [role=option]')[2]")
      #expect(try await values(report) == [["name", "org.b", "user", "counts"]])
      #expect(report.page.problems == [])
    }

    @Test("text of preferences stays text")
    func hostileText() async throws {
      let text = "</script><script>window.harm = 1</script><img src=x onerror=window.harm=1>"
      try folder.write(document([text: .string(text)]), to: "user/D<b>.plist")
      let report = try await report("D<b>")
      #expect(try await values(report) == [[text, text, "user", "counts"]])
      #expect(try await report.page.run("return typeof window.harm") == "undefined")
      #expect(report.page.problems == [])
    }
  }
}
