/// A folder that the kernel tells of, or a file that needs a watch of its own, with those who need it.
struct WatchedFolder {
  /// Where it was last seen.
  var path: PathBytes
  /// What the kernel tells of it.
  var mask: UInt32
  /// Whether others can change what is in it behind the kernel's back.
  let isRemote: Bool
  /// How many claims each file has on it, by the files' numbers.
  private(set) var files: [Int: Int] = [:]
  /// What each file needs to be told of each name.
  private var names: [PathBytes: [Int: UInt32]] = [:]
  /// How many claims there are of each mask.
  private var masks: [UInt32: Int] = [:]

  init(path: PathBytes, mask: UInt32, isRemote: Bool) {
    self.path = path
    self.mask = mask
    self.isRemote = isRemote
  }

  /// Whether nobody needs it.
  var isIdle: Bool { files.isEmpty }

  /// What the kernel has to tell.
  var neededMask: UInt32 { masks.keys.reduce(WatchMask.own, |) }

  /// The files that need to be told of an event.
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
