public import Preferences
public import PropertyList

/// An error of managed preferences: why files are not updated, or why nothing was published.
public enum ManagedPreferencesError: Error, Sendable {
  /// The remote store failed; the operation is retried.
  case remote(any Error)
  /// The state file cannot be read or saved; the operation is retried. The file is never
  /// overwritten while it cannot be read.
  case stateFile(PreferencesError)
  /// Another replica, in this or another process, uses the state file. This is reported once, and
  /// retried until the other replica has ended.
  case stateFileLocked(path: String)
  /// The remote store holds more domains than ``ManagedPreferencesLimits/domains``. No file changes
  /// until it holds fewer.
  case tooManyDomains(limit: Int)
  /// An entry of the remote store, or a call, names a domain that cannot be managed. The entry is
  /// ignored.
  case invalidDomain(name: String)
  /// The remote store holds data that is not a record. The domain's file is not updated.
  case invalidRecord(domain: String, key: String, SyncRecordError)
  /// A domain has more keys than ``ManagedPreferencesLimits/keysOfDomain``. Its file is not
  /// updated.
  case tooManyKeys(domain: String, limit: Int)
  /// A domain is larger than ``ManagedPreferencesLimits/bytesOfDomain``. Its file is not updated.
  case tooLarge(domain: String, limit: Int)
  /// The values of a domain cannot be written as a property list. Its file is not updated.
  case unwritable(domain: String, PlistError)
  /// A domain is missing in a remote store that knows less than this machine has seen, such as one
  /// that was set up again or restored from a backup. Its file is not updated until the remote
  /// store has keys of it again.
  case missingDomain(name: String)
  /// Another program has written or changed a managed file. It is left alone until it is moved
  /// away.
  case foreignFile(path: String)
  /// A managed file was written but is ignored, because a user other than root could change it or a
  /// folder above it.
  case untrustedFile(path: String)
  /// A managed file cannot be read or written; the operation is retried.
  case file(PreferencesError)
  /// The remote store will not accept the value of a key.
  case rejectedValue(domain: String, key: String, reason: String)
  /// Another administrator publishes the same domain. Some keys may have been published.
  case conflict(domain: String, key: String)
}

extension ManagedPreferencesError: CustomStringConvertible {
  /// One line of text.
  public var description: String {
    switch self {
    case .remote(let error): "\(error)"
    case .stateFile(let error), .file(let error): "\(error)"
    case .stateFileLocked(let path): "\(path): the state file is in use by another replica"
    case .tooManyDomains(let limit):
      "there are more than \(limit) managed domains; no managed file changes until there are fewer"
    case .invalidDomain(let name):
      """
      the domain \(name.printable) cannot be managed; expected a name without slashes, control \
      characters and a leading dot that is not that of a global domain or one in memory
      """
    case .invalidRecord(let domain, let key, let error):
      "the managed key \(key.printable) of \(domain) has an invalid record: \(error)"
    case .tooManyKeys(let domain, let limit):
      "the managed domain \(domain) has more than \(limit) keys"
    case .tooLarge(let domain, let limit):
      "the managed domain \(domain) takes more than \(limit) bytes"
    case .unwritable(let domain, let error):
      "the managed domain \(domain) cannot be written: \(error)"
    case .missingDomain(let name):
      """
      the remote store was set up again or restored, and has no managed keys of \(name); its last \
      ones stay until there are new ones
      """
    case .foreignFile(let path):
      "\(path): the file was not written by this replica; move it away to have its domain managed"
    case .untrustedFile(let path):
      """
      \(path): the file is ignored; it and all folders above it must belong to root, and no \
      other user may have permission to write to them
      """
    case .rejectedValue(let domain, let key, let reason):
      "the remote store rejected the value of the key \(key.printable) of \(domain): \(reason)"
    case .conflict(let domain, let key):
      "the managed key \(key.printable) of \(domain) has been changed since it was read; publish again"
    }
  }
}

extension ManagedPreferencesError: Equatable {
  /// Returns whether two errors have the same text.
  public static func == (left: ManagedPreferencesError, right: ManagedPreferencesError) -> Bool {
    "\(left)" == "\(right)"
  }
}

extension String {
  /// The text on one line of limited length, for names that an attacker may have chosen.
  fileprivate var printable: String {
    let scalars = unicodeScalars.prefix(80).map { scalar in
      scalar.isControl ? "\u{FFFD}" : scalar
    }
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars)
    return String(text) + (unicodeScalars.count > 80 ? "..." : "")
  }
}
