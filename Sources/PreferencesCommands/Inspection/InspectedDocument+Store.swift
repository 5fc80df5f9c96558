internal import CommandLineInterface
internal import FileStorage
internal import FoundationEssentials
internal import Glibc
internal import InspectionPage
internal import Manifests
internal import Preferences
internal import PropertyList

extension InspectedDocument {
  /// The preferences of a store, as an application finds them: its layers with the states of their
  /// files, and for each key the values of all layers.
  ///
  /// - Parameters:
  ///   - copies: The folder where an application keeps copies of the last good contents.
  ///   - manifest: The manifest of the domain. Values that it marks as secret are left out.
  init(_ name: String, _ store: PreferencesStore, copies: String?, _ manifest: ManifestFile?) {
    let contents = store.layerContents.filter { $0.layer.path != nil || !$0.values.isEmpty }
    let entries = Self.entries(
      of: contents.map { manifest?.manifest.hidingSecrets(in: $0.values) ?? $0.values })
    let hiding = entries.count { $0.values.count > 1 }
    self.init(
      domain: name,
      facts: (manifest.map { [("manifest", $0.path)] } ?? []) + [
        ("keys", "\(entries.count)"), ("keys with hidden values", "\(hiding)"),
        ("files", "\(contents.count { $0.fileExists }) of \(contents.count) exist"),
        (
          "not shown", "what applications have in memory: arguments, environment, registered values"
        ),
      ],
      layers: contents.map { Layer($0, copies: copies) }, entries: entries)
    guard let manifest else { return }
    let effective = entries.compactMap { entry in entry.values.first.map { (entry.key, $0) } }
    add(
      manifest.manifest, of: PlistDictionary(effective.map { ($0, $1.value) }),
      layers: Dictionary(effective.map { ($0, $1.layer) }) { first, _ in first })
  }

  /// The keys of layers with their values, sorted by their bytes.
  private static func entries(of layers: [PlistDictionary]) -> [Entry] {
    let all = layers.enumerated().flatMap { number, values in
      values.map { (key: $0.key, layer: number, value: $0.value) }
    }
    let sorted = all.sorted { left, right in
      if left.key.utf8.elementsEqual(right.key.utf8) { return left.layer < right.layer }
      return left.key.utf8.lexicographicallyPrecedes(right.key.utf8)
    }
    var entries: [Entry] = []
    for (key, layer, value) in sorted {
      if let last = entries.last, last.key.utf8.elementsEqual(key.utf8) {
        entries[entries.count - 1].values.append((layer, value))
      } else {
        entries.append((key, [(layer, value)]))
      }
    }
    return entries
  }
}

extension LayerContents {
  /// Whether there is something where the layer's file belongs.
  fileprivate var fileExists: Bool { layer.path.map { FileState($0) != nil } ?? false }
}

extension InspectedDocument.Layer {
  /// A layer, with the state of its file.
  fileprivate init(_ contents: LayerContents, copies: String?) {
    let layer = contents.layer
    var facts: [InspectedDocument.Fact] = [("domain", layer.domain)]
    if let path = layer.path {
      facts.append(("file", path))
      if let file = FileState(path) {
        facts += file.facts
        if let format = contents.format { facts.append(("format", format.title)) }
      } else {
        facts.append(("state", "there is no file"))
      }
      facts += Self.filesSetAside(from: path).map { ("set aside", "\($0)") }
      if let copies, layer.kind == .user {
        let copy = FileState(PreferencesStore.lastGoodCopy(of: path, in: copies))
        facts.append(("last good copy", copy.map { "\($0)" } ?? "there is none in \(copies)"))
      }
    }
    if contents.fileExists || layer.path == nil {
      facts.append(("keys", "\(contents.values.count)"))
    }
    let error = contents.problem.map { CommandFailure.lines(about: $0) } ?? []
    facts += error.dropFirst().map { ("note", $0) }
    self.init(name: DefaultsTool.title(of: layer.kind), facts: facts, error: error.first)
  }

  /// The files that ``PreferencesStore/recover()`` has moved aside, the oldest first.
  private static func filesSetAside(from path: String) -> [FileState] {
    let (folder, name) = FilePath.split(path)
    let names = try? FolderListing.files(in: folder ?? ".") {
      $0.hasPrefix(name + PreferencesStore.corruptMark)
    }
    return (names ?? []).sorted().compactMap {
      FileState(FilePath.joining(folder ?? ".", $0))
    }
  }
}

extension FileState: CustomStringConvertible {
  /// The path, the size and the time of the last change.
  var description: String { "\(path) (\(size) bytes, \(modified.descriptionText))" }

  /// The rows about the file.
  fileprivate var facts: [InspectedDocument.Fact] {
    var facts: [InspectedDocument.Fact] = []
    if let kind { facts.append(("state", kind)) }
    facts += [
      ("size", "\(size) bytes"), ("modified", modified.descriptionText), ("owner", owner),
      ("mode", mode),
    ]
    if !isReadable { facts.append(("state", "this user may not read it")) }
    return facts
  }
}

/// The state of a file in the system.
struct FileState {
  let path: String
  /// The kind of file at the path, unless it is a regular one: `a symbolic link to PATH`, `a folder`.
  private(set) var kind: String?
  /// The size in bytes.
  let size: Int
  let modified: Date
  /// The names of the user and the group that it belongs to, or their numbers.
  let owner: String
  /// The permissions as `ls` prints them and as an octal number: `-rw-r--r-- (644)`.
  let mode: String
  /// Whether this process may read it.
  let isReadable: Bool

  /// The state of what is at a path, or of what a symbolic link there leads to.
  init?(_ path: String) {
    var information = stat()
    guard lstat(path, &information) == 0 else { return nil }
    self.path = path
    if information.st_mode & S_IFMT == S_IFLNK {
      let target = Self.target(of: path)
      kind = "a symbolic link to \(target)"
      var there = stat()
      if stat(path, &there) == 0 {
        information = there
      } else {
        kind = "a symbolic link to \(target), which does not exist"
      }
    }
    switch information.st_mode & S_IFMT {
    case S_IFREG, S_IFLNK: break
    case S_IFDIR: kind = "a folder"
    default: kind = "a pipe, a socket or a device"
    }
    size = Int(information.st_size)
    let time = information.st_mtim
    modified = Date(
      timeIntervalSince1970: Double(time.tv_sec) + Double(time.tv_nsec / 1000) / 1_000_000)
    // No other thread of the process looks up names at the same time.
    let user = getpwuid(information.st_uid).map { String(cString: $0.pointee.pw_name) }
    let group = getgrgid(information.st_gid).map { String(cString: $0.pointee.gr_name) }
    owner = "\(user ?? "\(information.st_uid)"):\(group ?? "\(information.st_gid)")"
    mode = Self.text(of: information.st_mode)
    isReadable = access(path, R_OK) == 0
  }

  private static func target(of path: String) -> String {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
    let count = readlink(path, &buffer, buffer.count - 1)
    guard count > 0 else { return "?" }
    return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// The permissions of a file: a letter for its kind, nine letters, and the number.
  private static func text(of mode: mode_t) -> String {
    var text = mode & S_IFMT == S_IFDIR ? "d" : "-"
    for (number, letter) in "rwxrwxrwx".enumerated() {
      text.append(mode & (0o400 >> mode_t(number)) == 0 ? "-" : letter)
    }
    return "\(text) (\(String(mode & 0o7777, radix: 8)))"
  }
}
