internal import FileStorage
public import PropertyList

/// An event that a program's calls do not return or throw, such as a failure to save in the
/// background.
///
/// ```swift
/// let events = PreferencesStore.onEvent { event in logger.warning("\(event)") }
/// ```
///
/// Warnings (``isWarning``) without a handler are printed on standard error, each once per process;
/// see ``RuntimeConfiguration/printsFailures``. Events do not contain stored values.
public enum PreferencesEvent: Sendable, Hashable {
  /// A file cannot be read. It is not overwritten, and the values read before stay; without any,
  /// the domain is empty.
  case readFailure(PreferencesError)
  /// A file that was reported as unreadable has been read or is gone.
  case readRecovery(path: String)
  /// A file cannot be read or fails a check (``PreferencesStore/Options/check``), and the last good
  /// values stay: the earlier values of the file, or the values in a copy
  /// (``PreferencesStore/Options/lastGoodFolder``). The file is not overwritten. The event is
  /// posted once per cause; ``readRecovery(path:)`` reports that the file is good again.
  case lastGoodContents(path: String, reason: PreferencesError)
  /// The copy of a file's last good contents could not be written or read. The event is posted once
  /// per cause.
  case copyFailure(PreferencesError)
  /// A store was opened whose migrations did not bring the domain to its version
  /// (``PreferencesStore/Options/migrations``). It reads the domain and does not change it.
  case migrationFailure(PreferencesError)
  /// A value was set or removed in a read-only store, or failed the program's check. Nothing has
  /// changed.
  ///
  /// - key: Nil for several keys or all values of the domain.
  case refusedChange(domain: String, key: String?, reason: PreferencesError)
  /// A domain could not be saved in the background. Its changes stay in memory, and saving is
  /// retried unless the process ends.
  case saveFailure(PreferencesError)
  /// A domain has been saved after a ``saveFailure(_:)``.
  case saveRecovery(path: String)
  /// A typed preference's value could not be read as its type, and the default is used instead; or
  /// it could not be stored, and the old value stays.
  case valueFailure(domain: String, key: String, reason: String)
  /// A file has been written in a format other than its old one, or other than XML for a new file.
  ///
  /// - reason: The first value, with its place, that the old format cannot represent exactly, such
  ///   as a date with fractional seconds; nil if preferences are not written in that format.
  case formatChange(path: String, from: PlistFormat, to: PlistFormat, reason: PlistError?)
  /// Saving has removed the comments from an XML file, because stores do not keep comments. The
  /// event is posted again only if comments are added and the file is then saved again.
  case commentLoss(path: String)
  /// Saving has changed the owner of a file, because the process may write the file but not give
  /// files away. The event is posted once per domain.
  ///
  /// - to: The process's user, and the process's group unless the process is a member of the file's
  ///   group.
  case ownerChange(path: String, from: Owner, to: Owner)
  /// A file is polled at each ``RuntimeConfiguration/pollingInterval``, because the system does not
  /// report the changes that other processes make. The event is posted once per domain.
  case polling(path: String, reason: PollingReason)
  /// Saving has waited for another process for more than a second and continues to wait.
  ///
  /// - lockFile: The name of the lock file that the other process holds, in the file's folder.
  case lockWait(path: String, lockFile: String)
  /// The system could not start the thread of this name. Its work is done later or by the calling
  /// thread. The event is not posted again until such a thread has been started.
  case threadFailure(thread: String)

  /// The user and group that own a file.
  public struct Owner: Sendable, Hashable {
    /// The user ID.
    public var user: UInt32
    /// The group ID.
    public var group: UInt32
  }

  /// Why the system does not report the changes of a file.
  public enum PollingReason: Sendable, Hashable {
    /// The file, or a folder on the way to it, is on a file system that other machines can change.
    case networkFileSystem
    /// The system does not allow another watch: too many are in use, or a folder cannot be read.
    case noWatch
  }
}

extension PreferencesEvent: CustomStringConvertible {
  /// One line that begins with the file or domain, if there is one.
  public var description: String {
    switch self {
    case .readFailure(let error): "\(error)"
    case .lastGoodContents(_, let reason): "\(reason); the last good values are used"
    case .copyFailure(let error): "\(error); the last good values are not kept"
    case .migrationFailure(let error):
      switch error {
      case .otherVersion: "\(error)"
      default: "\(error); the preferences are not migrated, and this program does not change them"
      }
    case .refusedChange(let domain, let key?, .readOnly):
      "\(domain), \(key): the store is read-only"
    case .refusedChange(_, _, let reason): "\(reason)"
    case .readRecovery(let path): "\(path): the file can be read again"
    case .saveFailure(let error):
      // These texts say so already.
      switch error {
      case .lockTimeout, .saveTimeout, .unsaved: "\(error)"
      default: "\(error); changes are not saved"
      }
    case .saveRecovery(let path): "\(path): all changes are saved again"
    case .valueFailure(let domain, let key, let reason): "\(domain), \(key): \(reason)"
    case .formatChange(let path, let old, let new, let reason?):
      "\(path): the file is now \(new.title) instead of \(old.title): \(reason)"
    case .formatChange(let path, let old, let new, nil):
      "\(path): the file is now \(new.title) instead of \(old.title)"
    case .commentLoss(let path): "\(path): saving has removed the comments in the file"
    case .ownerChange(let path, let old, let new):
      "\(path): the file now belongs to \(new) instead of \(old), to whom this process may not give it"
    case .polling(let path, let reason): "\(path): changes are found by polling, because \(reason)"
    case .lockWait(let path, let lockFile):
      "\(path): saving waits for another process that holds the lock \(lockFile)"
    case .threadFailure(let thread): "the system cannot start the thread \(thread)"
    }
  }
}

extension PreferencesEvent.PollingReason: CustomStringConvertible {
  /// The end of a sentence.
  public var description: String {
    switch self {
    case .networkFileSystem: "other machines can change it"
    case .noWatch: "the system allows no other watch"
    }
  }
}

extension PreferencesEvent.Owner: CustomStringConvertible {
  init(_ owner: FileOwner) {
    self.init(user: owner.user, group: owner.group)
  }

  /// The IDs as chown(1) takes them: `1000:100`.
  public var description: String { "\(user):\(group)" }
}
