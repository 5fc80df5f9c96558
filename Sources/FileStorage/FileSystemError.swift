internal import Glibc

/// The reason why a file could not be read, locked or changed.
package enum FileSystemError: Error, Sendable, Hashable {
  /// A system call failed with this value of `errno`.
  case failed(Operation, code: Int32)
  /// Another process or thread still held the lock of a file after this time. The lock file is in
  /// the folder of the file.
  case lockTimeout(waited: Duration, lockFile: String)

  /// A failed operation with this value of `errno`.
  package init(_ operation: Operation, code: Int32) { self = .failed(operation, code: code) }

  /// A failed operation with the current value of `errno`, which the next system call may
  /// overwrite.
  package init(_ operation: Operation) { self = .failed(operation, code: errno) }

  /// The value of `errno`; nil for a lock timeout.
  package var code: Int32? {
    switch self {
    case .failed(_, let code): code
    case .lockTimeout: nil
    }
  }

  /// Whether there is no such file, or no such folder on the way to it.
  package var isMissing: Bool { code == ENOENT || code == ENOTDIR }

  /// The same failure, reported as a failure of the operation to which this step belongs.
  func during(_ operation: Operation) -> FileSystemError {
    switch self {
    case .failed(_, let code): .failed(operation, code: code)
    case .lockTimeout: self
    }
  }
}

extension FileSystemError {
  /// An operation on a file or folder.
  package enum Operation: Sendable, Hashable {
    case open, read, write, close, lock, create, replace, remove
    /// Opening a lock file, of this name and in the folder of the file that it locks.
    case openLockFile(String)
    /// Flushing a file or folder to the disk.
    case synchronize
    /// Reading the owner, permissions, size and times.
    case inspect
    case resolveSymlinks
    /// Finding the target of a symbolic link, which may be missing, in a folder that exists.
    case followSymlink
    /// Opening a path with a NUL, where the kernel would end it, or with U+FFFD, which replaces
    /// bytes that are not UTF-8.
    case openPathWithNUL, openUndecodablePath
    case createFolder, listFolder
    /// Creating the file that is to replace another, or a lock file.
    case createTemporaryFile
    /// Reading or replacing a folder, pipe or device as if it were a regular file.
    case readSpecialFile, replaceSpecialFile
    /// Replacing a file to which the process may not write.
    case replaceReadOnlyFile
    /// Replacing a file whose mode forbids its owner to write.
    case replacePinnedFile
    /// Replacing the file of an open descriptor, such as `/dev/stdin`.
    case replaceDescriptor
    /// Reading a file of more bytes than this.
    case readLargeFile(limit: Int)
    /// Reading or replacing a file that another program keeps changing.
    case readChangingFile, replaceChangingFile
    case readExtendedAttributes
    case copyOwner, copyPermissions, copyAccessControlList
    case copyExtendedAttribute(String)
    /// Continuing a parent's work under a lock in a forked child.
    case keepLockInChild
  }
}

extension FileSystemError.Operation: CustomStringConvertible {
  /// The verb phrase that follows "cannot": `open`, `create the folder`.
  package var description: String {
    switch self {
    case .open: "open"
    case .read: "read"
    case .write: "write"
    case .close: "close"
    case .lock: "lock the file"
    case .openLockFile(let name): "open the lock file \(name)"
    case .create: "create"
    case .replace: "replace"
    case .remove: "remove"
    case .synchronize: "sync the file to disk"
    case .inspect: "read the file's attributes"
    case .resolveSymlinks: "resolve the path"
    case .followSymlink: "follow the symbolic link"
    case .openPathWithNUL: "open a path that contains a NUL character"
    case .openUndecodablePath: "open a path that is not UTF-8"
    case .createFolder: "create the folder"
    case .listFolder: "list the folder"
    case .createTemporaryFile: "create a file in its folder"
    case .readSpecialFile: "read a file that is not a regular one"
    case .replaceSpecialFile: "replace a file that is not a regular one"
    case .replaceReadOnlyFile: "replace a read-only file"
    case .replacePinnedFile: "replace a file that its owner may not write"
    case .replaceDescriptor: "replace an open file descriptor"
    case .readLargeFile(let limit): "read more than \(limit) bytes"
    case .readChangingFile: "read a file that another program keeps changing"
    case .replaceChangingFile: "replace a file that another program keeps changing"
    case .readExtendedAttributes: "read the extended attributes"
    case .copyOwner: "preserve the owner"
    case .copyPermissions: "preserve the permissions"
    case .copyAccessControlList: "preserve the access control list"
    case .keepLockInChild: "keep a lock in a forked child"
    case .copyExtendedAttribute(let name): "preserve the extended attribute \(name)"
    }
  }
}

extension FileSystemError: CustomStringConvertible {
  /// One line of text, such as `cannot open: No such file or directory`.
  package var description: String {
    switch self {
    case .failed(let operation, let code): Self.text(of: operation, code)
    case .lockTimeout(let waited, let lockFile):
      "\(Self.text(ofLockTimeout: waited)) (lock file \(lockFile))"
    }
  }

  /// The message for a lock timeout.
  package static func text(ofLockTimeout waited: Duration) -> String {
    "the file was still locked after \(text(of: waited))"
  }

  /// The text of a failed operation, without `errno` if no system call has failed.
  private static func text(of operation: Operation, _ code: Int32) -> String {
    switch operation {
    case _ where code == EISDIR: "is a directory"
    case .openPathWithNUL: "the path contains a NUL character"
    case .openUndecodablePath: "the path is not UTF-8"
    case .readSpecialFile, .replaceSpecialFile: "not a regular file"
    case .replaceReadOnlyFile: "the file is read-only"
    case .replacePinnedFile: "its owner may not write the file; chmod u+w allows it"
    case .replaceDescriptor: "an open file descriptor cannot be replaced"
    case .readLargeFile(let limit): "the file is larger than \(limit) bytes"
    case .readChangingFile, .replaceChangingFile: "another program keeps changing the file"
    case .keepLockInChild: "a forked child does not hold the locks of its parent"
    default: "cannot \(operation): \(String(cString: strerror(code)))"
    }
  }

  /// A duration in whole milliseconds below a second, and otherwise in tenths of a second.
  package static func text(of duration: Duration) -> String {
    let (seconds, attoseconds) = duration.components
    let milliseconds =
      min(seconds, 1 << 40) * 1000 + (attoseconds + 500_000_000_000_000) / 1_000_000_000_000_000
    guard milliseconds >= 1000 else {
      return milliseconds == 1 ? "1 millisecond" : "\(milliseconds) milliseconds"
    }
    let tenths = (milliseconds + 50) / 100
    if tenths == 10 { return "1 second" }
    return tenths % 10 == 0 ? "\(tenths / 10) seconds" : "\(tenths / 10).\(tenths % 10) seconds"
  }
}
