internal import Glibc
internal import Threading

/// A path, or a name in one, as the kernel sees it: bytes, not necessarily UTF-8.
typealias PathBytes = [UInt8]

extension PathBytes {
  /// The bytes of a path up to the first NUL, appended to the working directory if it is relative.
  /// A relative path in a removed directory leads nowhere, so that it does not lead elsewhere after
  /// the process has changed its working directory.
  init(absolute path: String) {
    self = Array(path.utf8.prefix { $0 != 0 })
    guard first != UInt8(ascii: "/") else { return }
    guard let folder = getcwd(nil, 0) else {
      // A path below a file that is not a folder, which therefore cannot be created.
      self = Array("/dev/null/removed-working-folder".utf8).appending(self)
      return
    }
    defer { free(folder) }
    self = Self(cString: folder).appending(self)
  }

  private init(cString: UnsafePointer<CChar>) {
    self.init(UnsafeRawBufferPointer(start: cString, count: strlen(cString)))
  }

  /// The names that the path consists of, without `.`.
  var names: [PathBytes] {
    split(separator: UInt8(ascii: "/")).lazy.map(Self.init).filter { $0 != [UInt8(ascii: ".")] }
  }

  /// The path of a name in this folder. For the root folder, this path is empty.
  func appending(_ name: PathBytes) -> PathBytes {
    var path = self
    path.reserveCapacity(count + 1 + name.count)
    path.append(UInt8(ascii: "/"))
    path.append(contentsOf: name)
    return path
  }

  func withCString<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
    let bytes = isEmpty ? [UInt8(ascii: "/"), 0] : self + [0]
    return bytes.withUnsafeBytes { body($0.baseAddress!.assumingMemoryBound(to: CChar.self)) }
  }

  /// Returns the attributes of the file or symbolic link at the path; nil, with `errno` set, if
  /// there is none.
  func linkInformation() -> stat? {
    var information = stat()
    let result = withCString { path in ForkGate.shared.allowingForks { lstat(path, &information) } }
    return result == 0 ? information : nil
  }

  /// Returns the target of the symbolic link at the path; nil if there is none.
  func linkTarget() -> PathBytes? {
    var target = PathBytes(repeating: 0, count: Int(PATH_MAX))
    let count = withCString { path in
      target.withUnsafeMutableBytes { buffer in
        ForkGate.shared.allowingForks {
          readlink(path, buffer.baseAddress!.assumingMemoryBound(to: CChar.self), buffer.count)
        }
      }
    }
    guard count > 0 else { return nil }
    target.removeSubrange(count...)
    return target
  }

  /// Returns the identity of the file that the path leads to, following symbolic links; nil if
  /// there is no such file.
  func identity() -> FileIdentity? {
    let clock = FileClock.now()
    var information = stat()
    let result = withCString { path in ForkGate.shared.allowingForks { stat(path, &information) } }
    guard result == 0 else { return nil }
    return FileIdentity(information, clock: clock)
  }
}
