package import FileStorage
internal import Glibc

/// A system call that failed.
public struct SystemError: Error, Sendable, Hashable {
  /// The operation that failed.
  public var operation: Operation
  /// The value of `errno`.
  public var code: Int32

  /// A failure of this operation with this code.
  public init(_ operation: Operation, code: Int32) {
    self.operation = operation
    self.code = code
  }
}

extension SystemError {
  /// An operation on a file or folder.
  public struct Operation: Sendable {
    package let underlying: FileSystemError.Operation

    init(_ underlying: FileSystemError.Operation) {
      self.underlying = underlying
    }

    /// The operation without the name of a lock file.
    private var kind: FileSystemError.Operation {
      if case .openLockFile = underlying { .lock } else { underlying }
    }

    /// Opening a file or folder.
    public static let open = Operation(.open)
    /// Reading a file.
    public static let read = Operation(.read)
    /// Writing a file.
    public static let write = Operation(.write)
    /// Flushing a file or folder to the disk.
    public static let synchronize = Operation(.synchronize)
    /// Opening or locking the lock file.
    public static let lock = Operation(.lock)
    /// Putting a new file in the place of another.
    public static let replace = Operation(.replace)
    /// Creating the file that is to replace another.
    public static let createTemporaryFile = Operation(.createTemporaryFile)
    /// Creating a missing folder.
    public static let createFolder = Operation(.createFolder)
    /// Listing the files in a folder.
    public static let listFolder = Operation(.listFolder)
  }
}

extension SystemError.Operation: Hashable {
  /// Returns whether both are of the same kind, whichever lock file they are about.
  public static func == (left: SystemError.Operation, right: SystemError.Operation) -> Bool {
    left.kind == right.kind
  }

  /// Hashes the kind of the operation.
  public func hash(into hasher: inout Hasher) { hasher.combine(kind) }
}

extension SystemError: CustomStringConvertible {
  /// One line of text, such as `cannot open: No such file or directory`.
  public var description: String {
    "\(FileSystemError(operation.underlying, code: code))"
  }
}

extension SystemError.Operation: CustomStringConvertible {
  /// The verb phrase that follows "cannot": `open`, `create the folder`.
  public var description: String { "\(underlying)" }
}

extension SystemError {
  /// Whether the next attempt may succeed, because the process or the system lacked something for a
  /// moment, or a disk or server did not answer.
  var mayBeTransient: Bool {
    [EMFILE, ENFILE, ENOMEM, EIO, EINTR, ESTALE, EAGAIN, ETIMEDOUT].contains(code)
  }

  /// Whether the process or the system lacks descriptors or memory.
  var isShortage: Bool { [EMFILE, ENFILE, ENOMEM].contains(code) }

  /// Whether the file itself is the cause, and not the process or the whole system.
  var isAboutFile: Bool {
    [EACCES, EIO, EISDIR, EINVAL, ELOOP, EFBIG, EOVERFLOW].contains(code)
  }
}
