package import FileStorage

/// A system call that failed.
public struct SystemError: Error, Sendable, Hashable {
  /// The operation that failed.
  public var operation: Operation
  /// The value of `errno`.
  public var code: Int32

  /// Creates the error of a failed operation.
  public init(_ operation: Operation, code: Int32) {
    self.operation = operation
    self.code = code
  }
}

extension SystemError {
  /// An operation on a file or folder.
  public struct Operation: Sendable {
    package let underlying: FileSystemError.Operation

    init(_ underlying: FileSystemError.Operation) { self.underlying = underlying }

    /// The operation without the name of a lock file, for comparisons.
    private var kind: FileSystemError.Operation {
      if case .openLockFile = underlying { .lock } else { underlying }
    }

    /// Opening a file or folder.
    public static let open = Operation(.open)
    /// Reading a file.
    public static let read = Operation(.read)
    /// Writing a file.
    public static let write = Operation(.write)
    /// Flushing a file or folder to disk.
    public static let synchronize = Operation(.synchronize)
    /// Opening or locking the lock file.
    public static let lock = Operation(.lock)
    /// Replacing a file.
    public static let replace = Operation(.replace)
    /// Replacing a file whose mode forbids its owner to write it, as after `chmod a-w`.
    public static let replacePinnedFile = Operation(.replacePinnedFile)
    /// Creating a file's replacement.
    public static let createTemporaryFile = Operation(.createTemporaryFile)
    /// Creating a missing folder.
    public static let createFolder = Operation(.createFolder)
    /// Listing the files in a folder.
    public static let listFolder = Operation(.listFolder)
  }
}

extension SystemError.Operation: Hashable {
  /// Compares the kind of operation, regardless of the lock file.
  public static func == (left: SystemError.Operation, right: SystemError.Operation) -> Bool {
    left.kind == right.kind
  }

  /// Hashes the kind of operation.
  public func hash(into hasher: inout Hasher) { hasher.combine(kind) }
}

extension SystemError: CustomStringConvertible {
  /// One line, such as `cannot open: No such file or directory`.
  public var description: String { "\(FileSystemError(operation.underlying, code: code))" }
}

extension SystemError.Operation: CustomStringConvertible {
  /// The verb phrase that follows "cannot": `open`, `create the folder`.
  public var description: String { "\(underlying)" }
}
