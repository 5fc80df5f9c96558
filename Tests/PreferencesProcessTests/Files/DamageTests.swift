import FileStorage
import Foundation
import Preferences
import PropertyList
import TestSupport
import Testing

extension ProcessTests {
  @Suite("Damaged files and hostile environments") struct DamageTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test(
      "A corrupt file is reported, never overwritten, and kept by a recovery",
      arguments: ["", "<?xml version=\"1.0\"?><plist><dict><key>a</key>", "bplist00half", "(1, 2)"])
    func corrupt(text: String) throws {
      try folder.write(text, to: "test.plist")
      let store = PreferencesStore(fileAt: folder.file)
      #expect(store.problems.count == 1)
      #expect(store.plistValue(forKey: "a") == nil)
      store.set(1, forKey: "new")
      #expect(throws: PreferencesError.self) { try store.flush() }
      let process = try TestProcess(folder.file, "set", "other", "x")
      #expect(process.wait() == 1)
      #expect(process.errorText().hasPrefix(folder.file + ": "))
      #expect(try folder.text("test.plist") == text)

      let kept = try #require(try store.recover())
      #expect(kept.hasPrefix(folder.file + ".corrupt-"))
      #expect(try String(contentsOfFile: kept, encoding: .utf8) == text)
      #expect(try store.recover() == nil)
      try store.flush()
      #expect(store.problems.isEmpty)
      #expect(try folder.values() == ["new": 1])
      TestProcess.finish([try TestProcess(folder.file, "set", "other", "x")])
      #expect(try folder.values() == ["new": 1, "other": "x"])
    }

    @Test("Values stay in memory when their file becomes corrupt")
    func damagedLater() throws {
      let store = PreferencesStore(fileAt: folder.file)
      try store.update { $0["key"] = 1 }
      try folder.write("<plist>", to: "test.plist")
      store.synchronize()
      #expect(store.integer(forKey: "key") == 1)
      #expect(store.problems.count == 1)
    }

    @Test("No keys of a program that writes in place without locks are lost")
    func inPlace() throws {
      // Enough keys for several writes, so that a reader can see an incomplete file.
      let values = PlistDictionary(
        (0..<2000).map { ("foreign\($0)", .string(String(repeating: "v", count: 50))) })
      try folder.write(Plist.write(.dictionary(values), as: .xml), to: "test.plist")
      let script = """
        import sys, plistlib
        path, values, count = sys.argv[1], {}, 0
        with open(path, "rb") as file: values = plistlib.load(file)
        data = plistlib.dumps(values)
        print("ready", flush=True)
        while count < int(sys.argv[2]):
          count += 1
          with open(path, "wb", buffering=0) as file:
            for start in range(0, len(data), 4096): file.write(data[start:start + 4096])
        """
      let process = try TestProcess(
        command: ["python3", "-c", script, folder.file, String(1000 * TestScale.rounds)])
      #expect(process.readLine() == "ready")
      let store = PreferencesStore(fileAt: folder.file)
      var commits = 0
      while process.isRunning {
        store.set(commits, forKey: "ours")
        do {
          try store.flush()
          commits += 1
        } catch {
          // In that case nothing was written.
          #expect(isBusy(error), "\(error)")
        }
        if case .dictionary(let found)? = try? Plist.read(folder.data("test.plist")).value {
          try #require(found.filter { $0.key.hasPrefix("foreign") }.count == 2000)
        }
      }
      TestProcess.finish([process])
      store.set("last", forKey: "ours")
      try store.flush()
      let found = try folder.values()
      #expect(found["ours"] == "last")
      #expect(found.count == 2001)
    }

    /// Whether a file was incomplete or changing at each attempt to read it.
    private func isBusy(_ error: PreferencesError) -> Bool {
      switch error {
      case .emptyFile, .corrupt: true
      case .storage(_, let error): error.code == EAGAIN
      default: false
      }
    }

    @Test("Foundation's UserDefaults and a store both keep their keys in one file")
    func foundation() throws {
      let home = folder.path
      let process = try TestProcess(
        folder.file, "write-with-foundation", String(200 * TestScale.rounds),
        wrapper: ["HOME=\(home)", "XDG_CONFIG_HOME=\(home)"])
      #expect(process.readLine() == "ready")
      let store = PreferencesStore(fileAt: folder.file)
      while process.isRunning {
        store.set(1, forKey: "ours")
        try? store.flush()
      }
      TestProcess.finish([process])
      store.set("last", forKey: "ours")
      try store.flush()
      let found = try folder.values()
      #expect(found["ours"] == "last")
      #expect(found["theirs"] != nil)
      #expect(found.filter { $0.key.hasPrefix("fixed") }.count == 200)
    }

    @Test("Values that XML cannot represent are saved beside all others")
    func notForXML() throws {
      let store = PreferencesStore(fileAt: folder.file)
      try store.update { $0["other"] = "value" }
      let date = Date(timeIntervalSinceReferenceDate: 1.25)
      store.set("bell \u{7}", forKey: "control")
      store.set(.date(date), forKey: "date")
      try store.flush()
      #expect(
        try folder.values()
          == ["other": "value", "control": "bell \u{7}", "date": .date(date)])
      TestProcess.finish([try TestProcess(folder.file, "set", "new", "x")])
      #expect(try folder.values().count == 4)
      #expect(try folder.values()["control"] == "bell \u{7}")
    }

    @Test(
      "A domain name that leads out of the folder is rejected",
      arguments: ["", ".", "..", "../escape", "a/b", "/etc/x", "a\0b"])
    func names(name: String) throws {
      var options = PreferencesStore.Options()
      options.locations = DomainLocations(within: folder.path)
      #expect(throws: PreferencesError.invalidDomainName(name)) {
        try PreferencesStore(domain: name, options: options)
      }
      #expect(try folder.names() == [])
    }

    @Test("A managed file that root does not own is ignored and reported")
    func managed() throws {
      try FileManager.default.createDirectory(
        atPath: folder.path("managed"), withIntermediateDirectories: false)
      try folder.write("{ forced = yes; }", to: "managed/app.plist")
      if getuid() == 0 { #expect(chown(folder.path("managed/app.plist"), 12, 34) == 0) }
      var options = PreferencesStore.Options()
      options.locations = DomainLocations(within: folder.path)
      options.locations.checksManagedOwnership = true
      let store = try PreferencesStore(domain: "app", options: options)
      #expect(store.string(forKey: "forced") == nil)
      #expect(!store.objectIsForced(forKey: "forced"))
      let path = folder.path("managed/app.plist")
      #expect(store.problems == [.untrustedManagedFile(path: path)])
    }

    @Test(
      "A file keeps its permissions whatever the umask, and its replacement never has wider ones",
      arguments: [0o600, 0o644, 0o640] as [mode_t], [0o000, 0o077] as [mode_t])
    func permissions(mode: mode_t, mask: mode_t) throws {
      try PreferencesStore(fileAt: folder.file).update { $0["old"] = "value" }
      #expect(try permissions(of: "test.plist") == 0o600)
      #expect(chmod(folder.file, mode) == 0)
      let trace = folder.path("trace")
      let masked = ["bash", "-c", "umask \(String(mask, radix: 8)); exec \"$@\"", "bash"]
      TestProcess.finish([
        try TestProcess(
          folder.file, "set", "key", "x",
          wrapper: masked + ["strace", "-f", "-o", trace, "-e", "trace=openat,fchmod,write"])
      ])
      #expect(try permissions(of: "test.plist") == mode)
      let calls = try folder.text("trace").split(separator: "\n")
      let made = calls.filter { $0.contains(".test.plist.new") }
      #expect(made.count == 1 && made.allSatisfy { $0.contains(", 0600)") })
      let modes = calls.filter { $0.contains("fchmod(") }
      #expect(modes.count == 1 && modes.allSatisfy { $0.contains("0\(String(mode, radix: 8)))") })
      // A new folder is private.
      TestProcess.finish([
        try TestProcess(folder.path("made/new.plist"), "set", "key", "x", wrapper: masked)
      ])
      #expect(try permissions(of: "made") == 0o700)
      #expect(try permissions(of: "made/new.plist") == 0o600)
    }

    private func permissions(of name: String) throws -> mode_t {
      var information = stat()
      try #require(stat(folder.path(name), &information) == 0)
      return information.st_mode & 0o7777
    }
  }
}
