internal import FoundationEssentials
internal import Glibc

/// The state of a file in the system.
struct FileState {
  let path: String
  /// The kind of file at the path, unless it is a regular one: `a symbolic link to PATH`, `a folder`.
  private(set) var kind: String?
  /// The size in bytes.
  let size: Int
  let modified: Date
  /// The names of the user and the group to whom it belongs, or their numbers.
  let owner: String
  /// The permissions as `ls` prints them and as an octal number: `-rw-r--r-- (644)`.
  let mode: String
  /// Whether this process may read it.
  let isReadable: Bool

  /// The state of what is at a path, or of what a symbolic link there leads to.
  ///
  /// - Returns: Nil if there is nothing.
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
        kind = "a symbolic link to \(target), where nothing is"
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
    owner = "\(Self.user(information.st_uid)):\(Self.group(information.st_gid))"
    mode = Self.text(of: information.st_mode)
    isReadable = access(path, R_OK) == 0
  }

  private static func target(of path: String) -> String {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
    let count = readlink(path, &buffer, buffer.count - 1)
    guard count > 0 else { return "?" }
    return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// The permissions of a file: a letter for its kind, nine for who may do what, and the number.
  private static func text(of mode: mode_t) -> String {
    var text = mode & S_IFMT == S_IFDIR ? "d" : "-"
    for (number, letter) in "rwxrwxrwx".enumerated() {
      text.append(mode & (0o400 >> mode_t(number)) == 0 ? "-" : letter)
    }
    return "\(text) (\(String(mode & 0o7777, radix: 8)))"
  }

  // MARK: Names

  private static func user(_ number: uid_t) -> String {
    var entry = passwd()
    return name(number) { buffer in
      var found: UnsafeMutablePointer<passwd>?
      let code = getpwuid_r(number, &entry, buffer.baseAddress!, buffer.count, &found)
      return (code, found?.pointee.pw_name)
    }
  }

  private static func group(_ number: gid_t) -> String {
    var entry = Glibc.group()
    return name(number) { buffer in
      var found: UnsafeMutablePointer<Glibc.group>?
      let code = getgrgid_r(number, &entry, buffer.baseAddress!, buffer.count, &found)
      return (code, found?.pointee.gr_name)
    }
  }

  /// The name that a database lookup writes to a buffer; the number if it finds none.
  private static func name(
    _ number: UInt32,
    _ find: (UnsafeMutableBufferPointer<CChar>) -> (code: Int32, UnsafeMutablePointer<CChar>?)
  ) -> String {
    var size = 1 << 10
    while size <= 1 << 20 {
      let (code, name) = withUnsafeTemporaryAllocation(of: CChar.self, capacity: size) { buffer in
        let (code, name) = find(buffer)
        return (code, name.map { String(cString: $0) })
      }
      if code != ERANGE { return name ?? String(number) }
      size *= 8
    }
    return String(number)
  }
}
