/// A watch on a folder, or on a single file, with the interests of the files that need it.
struct WatchedFolder {
  /// The path at which the folder was last seen.
  var path: PathBytes
  /// The events that the kernel reports.
  var mask: UInt32
  /// Whether other machines can change the folder unnoticed by this kernel.
  let isRemote: Bool
  /// The number of interests of each file, by file number.
  private(set) var files: [Int: Int] = [:]
  /// The events that each file needs, by name.
  private var names: [PathBytes: [Int: UInt32]] = [:]
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
    guard !event.name.isEmpty else { return Array(files.keys) }
    return names[event.name]?.filter { $0.value & event.mask != 0 }.map(\.key) ?? []
  }

  mutating func add(_ file: Int, _ name: PathBytes, _ mask: UInt32) {
    files[file, default: 0] += 1
    masks[mask, default: 0] += 1
    if !name.isEmpty { names[name, default: [:]][file] = mask }
  }

  mutating func remove(_ file: Int, _ name: PathBytes, _ mask: UInt32) {
    Self.decrement(&files, file)
    Self.decrement(&masks, mask)
    names[name]?[file] = nil
    if names[name]?.isEmpty == true { names[name] = nil }
  }

  private static func decrement<Key>(_ counts: inout [Key: Int], _ key: Key) {
    guard let count = counts[key] else { return }
    counts[key] = count > 1 ? count - 1 : nil
  }
}
