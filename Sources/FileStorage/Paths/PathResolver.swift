internal import Glibc

/// Resolves a path name by name, following symbolic links in user space, so that the caller sees
/// every folder and link on the way.
struct PathResolver {
  /// A name that was found, or is missing, in a folder.
  struct Step {
    var name: PathBytes
    /// The folder's path, free of symbolic links, with the name.
    var path: PathBytes
    /// How many folders are above the name, the root not counted.
    var depth: Int
    /// Whether the path ends here, unless this is a symbolic link.
    var isLast: Bool
    /// The attributes of the file or symbolic link; nil if there is none.
    var information: stat?
    /// The value of `errno` where ``information`` is nil.
    var code: Int32

    var isLink: Bool { information.map { $0.st_mode & S_IFMT == S_IFLNK } ?? false }
  }

  /// The reason why resolution ended before the last name.
  enum Failure {
    case tooManyLinks
    /// A symbolic link disappeared between two system calls.
    case linkDisappeared
  }

  /// How many symbolic links are followed, as in the kernel.
  private static let linkLimit = 40

  /// The remaining names; the next one is last.
  private var pending: [PathBytes]
  /// The paths of the folders reached so far, without the root.
  private var folders: [PathBytes] = []
  private var last: Step?
  private var linkCount = 0
  private(set) var failure: Failure?

  init(_ path: PathBytes) { pending = path.names.reversed() }

  /// Enters the folder, or follows the link, of the previous step, and looks up the next name; nil
  /// after the last name or a failure.
  mutating func next() -> Step? {
    guard enterLast() else { return nil }
    while let name = pending.popLast() {
      if name == Array("..".utf8) {
        _ = folders.popLast()
        continue
      }
      let path = (folders.last ?? []).appending(name)
      let information = path.linkInformation()
      let step = Step(
        name: name, path: path, depth: folders.count, isLast: pending.isEmpty,
        information: information, code: information == nil ? errno : 0)
      last = step
      return step
    }
    return nil
  }

  /// Enters the folder, or follows the link, of the previous step.
  private mutating func enterLast() -> Bool {
    guard let step = last else { return failure == nil }
    last = nil
    guard step.isLink else {
      folders.append(step.path)
      return true
    }
    linkCount += 1
    guard linkCount <= Self.linkLimit else {
      failure = .tooManyLinks
      return false
    }
    guard let target = step.path.linkTarget() else {
      failure = .linkDisappeared
      return false
    }
    if target.first == UInt8(ascii: "/") { folders = [] }
    pending += target.names.reversed()
    return true
  }
}
