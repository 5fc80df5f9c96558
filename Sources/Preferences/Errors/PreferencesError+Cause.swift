internal import Glibc

extension PreferencesError {
  /// The cause of an error. It decides whether another attempt helps, and whether the file is to
  /// blame. New errors about files must be classified here.
  enum Cause: Hashable {
    /// Time ran out.
    case time
    /// The call would never end, because it would wait for itself.
    case ownUpdate
    /// The process or the system lacks descriptors or memory.
    case shortage
    /// A call was interrupted, or a server did not answer.
    case interruption
    /// The disk failed.
    case disk
    /// The file or its folder does not exist.
    case missing
    /// The file has another type, other permissions or another size than it should have.
    case file
    /// The system refused for another reason.
    case system
    /// The file was read but does not contain valid preferences. If it is empty or malformed, another
    /// program may be writing it.
    case contents(mayBeUnfinished: Bool)
    /// The error is not about a file.
    case program

    /// Whether the file may be valid at the next read.
    var mayPassSoon: Bool {
      switch self {
      case .shortage, .interruption, .disk, .contents(mayBeUnfinished: true): true
      default: false
      }
    }
  }

  /// The cause of the error.
  var cause: Cause {
    switch self {
    case .storage(_, let error): error.cause
    case .lockTimeout, .saveTimeout: .time
    case .withinUpdate: .ownUpdate
    case .unsaved(_, _, let error): error.cause
    case .emptyFile, .corrupt: .contents(mayBeUnfinished: true)
    case .notPreferences, .refused: .contents(mayBeUnfinished: false)
    case .invalidDomainName, .noUserFolder, .untrustedManagedFile, .missingValue, .wrongType,
      .readOnly, .refusedChange, .unsupportedType, .unsupportedKeys, .nullValue, .nestedTooDeeply,
      .dateIsNaN, .unwritable, .lateApplication, .failedMigration, .otherVersion:
      .program
    }
  }
}

extension SystemError {
  fileprivate var cause: PreferencesError.Cause {
    switch code {
    case EMFILE, ENFILE, ENOMEM: .shortage
    case EINTR, ESTALE, EAGAIN, ETIMEDOUT: .interruption
    case EIO: .disk
    case ENOENT, ENOTDIR: .missing
    case EACCES, EISDIR, EINVAL, ELOOP, ENXIO, EFBIG, EOVERFLOW: .file
    default: .system
    }
  }
}
