internal import FileStorage
public import PropertyList

/// An event that no call of a program returns or throws, such as a failure to save in the background.
///
/// ```swift
/// let events = PreferencesStore.onEvent { event in logger.warning("\(event)") }
/// ```
///
/// Failures for which there is no handler are printed on standard error, each once in a process;
/// see ``RuntimeConfiguration/printsFailures``. No event contains a stored value.
public enum PreferencesEvent: Sendable, Hashable {
  /// A file cannot be read. It counts as empty, or the values that were read before stay, and it is
  /// not written over.
  case readFailure(PreferencesError)
  /// A domain could not be saved in the background. Its changes stay in memory, and saving them is
  /// tried again, unless the process ends.
  case saveFailure(PreferencesError)
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

  /// The user and the group to whom a file belongs.
  public struct Owner: Sendable, Hashable {
    /// The number of the user.
    public var user: UInt32
    /// The number of the group.
    public var group: UInt32
  }
}

extension PreferencesEvent {
  private static let handlers = HandlerList<PreferencesEvent>()

  /// Adds a handler of events of the whole process.
  static func addHandler(
    _ handler: @escaping @Sendable (PreferencesEvent) -> Void
  ) -> PreferencesObservation {
    handlers.add(handler)
  }

  /// Whether there are handlers.
  static func hasHandlers(in change: borrowing StateChange) -> Bool {
    !handlers.isEmpty(in: change)
  }

  /// Calls the handlers, or prints a failure that nobody handles. No lock may be held.
  ///
  /// - Parameter isHandled: Whether another handler has been called with the failure.
  package func post(isHandled: Bool = false) {
    if Self.handlers.call(with: self) || isHandled { return }
    if case .formatChange = self { return }
    guard RuntimeConfiguration.current.printsFailures else { return }
    FailureLog.shared.print(description)
  }
}

extension PreferencesEvent: CustomStringConvertible {
  /// One line of text that begins with the file or the domain.
  public var description: String {
    switch self {
    case .readFailure(let error): "\(error)"
    case .saveFailure(let error):
      // The text of a timeout says so already.
      if case .lockTimeout = error { "\(error)" } else { "\(error); changes are not saved" }
    case .valueFailure(let domain, let key, let reason): "\(domain), \(key): \(reason)"
    case .formatChange(let path, let old, let new, let reason?):
      "\(path): the file is now \(new.title) instead of \(old.title): \(reason)"
    case .formatChange(let path, let old, let new, nil):
      "\(path): the file is now \(new.title) instead of \(old.title)"
    case .ownerChange(let path, let old, let new):
      "\(path): the file now belongs to \(new) instead of \(old), to whom this process may not give it"
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
