internal import FileStorage
public import PropertyList

/// An event that no call of a program returns or throws, such as a failure to save in the background.
///
/// ```swift
/// let events = PreferencesStore.onEvent { event in logger.warning("\(event)") }
/// ```
///
/// Warnings (``isWarning``) for which there is no handler are printed on standard error, each once
/// in a process; see ``RuntimeConfiguration/printsFailures``. No event contains a stored value.
public enum PreferencesEvent: Sendable, Hashable {
  /// A file cannot be read. It counts as empty, or the values that were read before stay, and it is
  /// not written over.
  case readFailure(PreferencesError)
  /// A file that was reported as one that cannot be read has been read, or is gone.
  ///
  /// - path: The path of the file.
  case readRecovery(path: String)
  /// A file cannot be read, or a check refuses its contents (``PreferencesStore/Options/check``), and
  /// the last good values stay: those that it had before, or those of a copy
  /// (``PreferencesStore/Options/lastGoodFolder``). The file is not written over. It is reported once
  /// for each cause, and ``readRecovery(path:)`` reports that the file is good again.
  ///
  /// - path: The path of the file.
  /// - reason: Why its contents are not used.
  case lastGoodContents(path: String, reason: PreferencesError)
  /// The copy of a file's last good contents could not be written or read. It is reported once for
  /// each cause.
  case copyFailure(PreferencesError)
  /// A value was set or removed in a store that is read-only. Nothing has changed.
  ///
  /// - key: The key; nil for several keys, or all values of the domain.
  case refusedChange(domain: String, key: String?)
  /// A domain could not be saved in the background. Its changes stay in memory, and saving them is
  /// tried again, unless the process ends.
  case saveFailure(PreferencesError)
  /// A domain that was reported as one that could not be saved has been saved.
  ///
  /// - path: The path of its file.
  case saveRecovery(path: String)
  /// A value could not be read as the type of a typed preference, or not be stored. The default is
  /// read, or the old value stays.
  case valueFailure(domain: String, key: String, reason: String)
  /// A file has been written in another format than before, or than the one of new files.
  ///
  /// - path: The path of the file.
  /// - old: The format before; XML for a new file.
  /// - new: The format now.
  /// - reason: The first value, with its place, that the format before cannot hold exactly, such as
  ///   a date with a fraction of a second; nil if it is one in which no preferences are written.
  case formatChange(path: String, from: PlistFormat, to: PlistFormat, reason: PlistError?)
  /// Saving a file has changed its owner, since the process may write the file but not give files
  /// away. It is reported once for each domain.
  ///
  /// - path: The path of the file.
  /// - old: The owner before.
  /// - new: The owner now: the user of the process, and its group if it is no member of the file's.
  case ownerChange(path: String, from: Owner, to: Owner)
  /// Changes that other processes make to a file are found by looking at it again and again, each
  /// ``RuntimeConfiguration/pollingInterval``, since the system does not report them. It is reported
  /// once for each domain.
  ///
  /// - path: The path of the file.
  case polling(path: String, reason: PollingReason)
  /// Saving a file has waited for longer than a second for another process, and goes on waiting.
  ///
  /// - path: The path of the file.
  /// - lockFile: The name of the lock file that the other process holds, in the folder of the file.
  case lockWait(path: String, lockFile: String)
  /// The system has no more threads. What the thread does is done later, or by the thread that asks
  /// for it. It is reported once until a thread of that name has been started.
  ///
  /// - thread: The name of the thread.
  case threadFailure(thread: String)

  /// The user and the group to whom a file belongs.
  public struct Owner: Sendable, Hashable {
    /// The number of the user.
    public var user: UInt32
    /// The number of the group.
    public var group: UInt32
  }

  /// Why the system does not report the changes of a file.
  public enum PollingReason: Sendable, Hashable {
    /// The file is on a file system that other machines can change, or the way to it leads through
    /// one.
    case networkFileSystem
    /// The system does not allow another watch: too many are in use, or a folder cannot be read.
    case noWatch
  }
}

extension PreferencesEvent: CustomStringConvertible {
  /// One line of text that begins with the file or the domain, where there is one.
  public var description: String {
    switch self {
    case .readFailure(let error): "\(error)"
    case .lastGoodContents(_, let reason): "\(reason); the last good values are used"
    case .copyFailure(let error): "\(error); the last good values are not kept"
    case .refusedChange(let domain, let key?): "\(domain), \(key): the store is read-only"
    case .refusedChange(let domain, nil): "\(domain): the store is read-only"
    case .readRecovery(let path): "\(path): the file can be read again"
    case .saveFailure(let error):
      // The text of a timeout says so already.
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
  init(_ reason: FileWatcher.PollingReason) {
    switch reason {
    case .networkFileSystem: self = .networkFileSystem
    case .noWatch: self = .noWatch
    }
  }

  /// The reason as the end of a sentence.
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

  /// The numbers as chown(1) takes them: `1000:100`.
  public var description: String { "\(user):\(group)" }
}
