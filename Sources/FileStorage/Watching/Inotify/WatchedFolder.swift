/// A watch on a folder, or on a single file, with the interests of the files that need it.
struct WatchedFolder {
  /// The path where the folder was last seen.
  var path: PathBytes
  /// The events that the kernel reports.
  var mask: UInt32
  /// Whether other machines can change the folder unnoticed by this kernel.
  let isRemote: Bool
  /// The numbers of the files that need the watch, all of which need events of the folder itself.
  private(set) var files: Set<Int> = []
  /// The numbers of the files that need events of a name, and these events.
  private var names: [PathBytes: [(file: Int, mask: UInt32)]] = [:]
  /// The number of interests in each mask.
  private var masks: [UInt32: Int] = [:]

  init(path: PathBytes, mask: UInt32, isRemote: Bool) {
    self.path = path
    self.mask = mask
    self.isRemote = isRemote
  }

  /// Whether no file needs the watch.
  var isUnneeded: Bool { files.isEmpty }

  /// The events that files need.
  var neededMask: UInt32 { masks.keys.reduce(WatchMask.own, |) }

  /// Returns the numbers of the files that an event affects.
  func files(for event: Inotify.Event) -> [Int] {
    guard !event.name.isEmpty else { return Array(files) }
    return names[event.name]?.filter { $0.mask & event.mask != 0 }.map(\.file) ?? []
  }

  mutating func add(_ file: Int, _ name: PathBytes, _ mask: UInt32) {
    masks[mask, default: 0] += 1
    if name.isEmpty {
      files.insert(file)
    } else {
      names[name, default: []].append((file, mask))
    }
  }

  mutating func remove(_ file: Int, _ name: PathBytes, _ mask: UInt32) {
    if let count = masks[mask] { masks[mask] = count > 1 ? count - 1 : nil }
    if name.isEmpty {
      files.remove(file)
      return
    }
    names[name]?.removeAll { $0.file == file }
    if names[name]?.isEmpty == true { names[name] = nil }
  }
}
