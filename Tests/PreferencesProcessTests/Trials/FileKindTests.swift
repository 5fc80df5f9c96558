import Foundation
import Preferences
import PropertyList
import TestSupport
import Testing

extension ProcessTests {
  @Suite("A store whose file becomes all kinds of files and links") struct FileKindTests {
    /// What may be at the path of a store besides a file with preferences.
    enum Kind: CaseIterable {
      case missing, folder, pipe, socket, device, garbage, empty, array
      case danglingLink, loop, linkToFolder

      /// Whether the earlier values are gone; otherwise they stay.
      var isMissing: Bool { self == .missing || self == .danglingLink }
    }

    /// The ways to a file with preferences.
    enum Way: CaseIterable {
      case file, fileWrittenInPlace, link, twoLinks, hardLink, switchedFolder
    }

    private let folder: TemporaryFolder
    private let manager = FileManager.default
    private var path: String { folder.path("current/k.plist") }

    init() throws {
      folder = try TemporaryFolder()
      try makeFolder(0)
    }

    /// Makes a folder, and lets the link on the path of the store lead to it.
    private func makeFolder(_ number: Int) throws {
      try manager.createDirectory(
        atPath: folder.path("folder \(number)"), withIntermediateDirectories: false)
      try? manager.removeItem(atPath: folder.path("next"))
      try manager.createSymbolicLink(
        atPath: folder.path("next"), withDestinationPath: "folder \(number)")
      #expect(rename(folder.path("next"), folder.path("current")) == 0)
    }

    private func make(_ kind: Kind) throws {
      try? manager.removeItem(atPath: path)
      func write(_ text: String) throws { try Data(text.utf8).write(to: URL(filePath: path)) }
      func link(to target: String) throws {
        try manager.createSymbolicLink(atPath: path, withDestinationPath: target)
      }
      switch kind {
      case .missing: break
      case .folder: try manager.createDirectory(atPath: path, withIntermediateDirectories: false)
      case .pipe: #expect(mkfifo(path, 0o600) == 0)
      case .socket:
        let socket = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(socket) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        // The whole path may be too long for an address.
        let short = "/proc/self/fd/\(open(folder.path("current"), O_RDONLY | O_DIRECTORY))/k.plist"
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(short.utf8)) }
        let result = withUnsafePointer(to: &address) { pointer in
          pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            bind(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
          }
        }
        #expect(result == 0)
        close(Int32(short.split(separator: "/")[3])!)
      case .device: try link(to: "/dev/null")
      case .garbage: try write("<plist><dict>")
      case .empty: try write("")
      case .array: try write("(1, 2)")
      case .danglingLink: try link(to: "nowhere")
      case .loop: try link(to: "k.plist")
      case .linkToFolder: try link(to: "..")
      }
    }

    private func make(_ way: Way, _ number: Int) throws {
      let data = try Plist.write(["k": .integer(Int64(number))], as: .xml)
      let other = folder.path("current/other \(number)")
      if way != .fileWrittenInPlace || !isFile { try? manager.removeItem(atPath: path) }
      switch way {
      case .file: try data.write(to: URL(filePath: path), options: .atomic)
      case .fileWrittenInPlace: try data.write(to: URL(filePath: path))
      case .link, .twoLinks:
        try data.write(to: URL(filePath: other))
        var target = "other \(number)"
        if way == .twoLinks {
          try manager.createSymbolicLink(atPath: other + " link", withDestinationPath: target)
          target += " link"
        }
        try manager.createSymbolicLink(atPath: path, withDestinationPath: target)
      case .hardLink:
        try data.write(to: URL(filePath: other))
        try manager.linkItem(atPath: other, toPath: path)
      case .switchedFolder:
        try makeFolder(number)
        try data.write(to: URL(filePath: path))
      }
    }

    private var isFile: Bool {
      var information = stat()
      return lstat(path, &information) == 0 && information.st_mode & S_IFMT == S_IFREG
    }

    @Test("Each leaves the last values, never blocks, and gives way to the next file")
    func sequence() throws {
      var generator = SeededGenerator(seed: 42)
      let store = PreferencesStore(fileAt: path)
      let events = PreferencesStore.onEvent { _ in }
      let observation = store.observe("k") { _ in }
      let kinds = (0..<3 * TestScale.rounds).flatMap { _ in
        Kind.allCases.shuffled(using: &generator)
      }
      for (number, kind) in kinds.enumerated() {
        let way = Way.allCases.randomElement(using: &generator)!
        let place = Comment("step \(number): \(way), then \(kind)")
        try make(way, number)
        #expect(eventually { store.integer(forKey: "k") == number }, place)
        #expect(store.problems == [], place)
        store.set(number, forKey: "own")
        #expect(throws: Never.self, place) { try store.flush() }
        #expect(
          try Plist.read(Data(contentsOf: URL(filePath: path))).value
            == ["k": .integer(Int64(number)), "own": .integer(Int64(number))], place)
        if way == .link || way == .twoLinks { #expect(!isFile, place) }

        try make(kind)
        if kind.isMissing {
          #expect(eventually { !store.containsValue(forKey: "k") }, place)
        } else {
          #expect(eventually { !store.problems.isEmpty }, place)
          #expect(store.integer(forKey: "k") == number, place)
          #expect(throws: PreferencesError.self, place) { try store.update { $0["k"] = -1 } }
        }
      }
      observation.cancel()
      events.cancel()
    }
  }
}
