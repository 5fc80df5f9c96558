package import FileStorage
public import PropertyList

/// Why preferences could not be read or saved.
public enum PreferencesError: Error, Sendable, Hashable {
  /// A domain's name is empty, `.` or `..`, or holds a `/` or a NUL: it would name a file
  /// elsewhere.
  case invalidDomainName(String)
  /// There is no folder for the user's files: neither `XDG_CONFIG_HOME` nor `HOME` names one, and the
  /// user has no home folder in the system's database. See ``DomainLocations/hasUserFolder``.
  case noUserFolder
  /// A file or its folder cannot be read, locked or written.
  case storage(path: String, SystemError)
  /// A file was not saved because another process or thread still held its lock after this time.
  /// The changes stay and can be saved later.
  ///
  /// - path: The path of the file.
  /// - waited: How long the lock was waited for.
  /// - lockFile: The name of the lock file that another process held, in the folder of the file; nil
  ///   if another thread of this process was working with the file.
  case lockTimeout(path: String, waited: Duration, lockFile: String?)
  /// A file was not saved in time: its file system or too many other files took this long. The
  /// changes stay and can be saved later.
  case saveTimeout(path: String, waited: Duration)
  /// A file is not a property list. It is not written over until it is recovered.
  case corrupt(path: String, PlistError)
  /// A file is a property list, but not a dictionary of what preferences may hold. It is not
  /// written over until it is recovered.
  case notPreferences(path: String)
  /// A file is empty, as other programs leave it while they write it or where they were
  /// interrupted. It is not written over until it is recovered.
  case emptyFile(path: String)
  /// A check of the program does not accept the contents of a file
  /// (``PreferencesStore/Options/check``). It is not written over until it is recovered.
  ///
  /// - reason: The text of the error that the check has thrown.
  case refused(path: String, reason: String)
  /// A store that is read-only was to be changed, or was when it is flushed. It is named by its domain
  /// or the path of its file.
  case readOnly(String)
  /// A file of managed preferences, which users must not be able to change, belongs to somebody
  /// other than root or can be written by others, as it is or through a folder on its way. It is
  /// ignored.
  case untrustedManagedFile(path: String)
  /// A value, at this path in what is stored, is of a type that property lists do not have.
  case unsupportedType(String, at: PlistKeyPath)
  /// A dictionary, of this type and at this path in what is stored, has keys other than strings.
  case unsupportedKeys(String, at: PlistKeyPath)
  /// There is a null at this path in what is stored.
  case nullValue(at: PlistKeyPath)
  /// A value has containers nested so deeply that the domain around them would exceed this many
  /// levels. The path is that of the key of the value, if it is known.
  case nestedTooDeeply(limit: Int, at: PlistKeyPath = PlistKeyPath())
  /// A date, at this path in what is stored, is not a number.
  case dateIsNaN(at: PlistKeyPath)
  /// No layer has a value for the key that was asked for, among those of the store of a domain or of
  /// the file of a path.
  case missingValue(key: String, domain: String)
  /// The value of a key is not of the type that was asked for.
  ///
  /// - expected: What was asked for, such as `an integer`.
  /// - layer: The layer that supplies the value.
  case wrongType(key: String, expected: String, found: PlistValue.Kind, layer: PreferencesLayer)
  /// A value cannot be stored in any format.
  case unwritable(path: String, PlistError)
  /// Some domains were not saved in time; their changes stay.
  ///
  /// - count: The number of these domains.
  /// - total: The number of domains that were to be saved.
  /// - error: Why the first of them was not.
  indirect case unsaved(count: Int, of: Int, PreferencesError)
  /// A domain, of the file at this path, is updated or saved by an update of the same domain, on the
  /// same thread. The path is empty for a domain in memory.
  case withinUpdate(path: String)
  /// The application's domain is given a name, while its preferences are used under another one.
  case lateApplication(String, used: String)
}

extension PreferencesError {
  /// The error of a file, as one of the preferences at a path.
  package init(_ error: FileSystemError, path: String) {
    switch error {
    case .failed(let operation, let code):
      self = .storage(path: path, SystemError(SystemError.Operation(operation), code: code))
    case .lockTimeout(let waited, let lockFile):
      self = .lockTimeout(path: path, waited: waited, lockFile: lockFile)
    }
  }
}

extension PreferencesError {
  /// Calls a closure and converts its error to one of preferences at a path.
  static func wrapping<Result: ~Copyable>(
    _ path: String, _ body: () throws(FileSystemError) -> Result
  ) throws(PreferencesError) -> Result {
    do throws(FileSystemError) { return try body() } catch {
      throw PreferencesError(error, path: path)
    }
  }

  /// The path of the file that the error is about; nil if it is about none.
  public var path: String? {
    switch self {
    case .storage(let path, _), .lockTimeout(let path, _, _), .saveTimeout(let path, _),
      .corrupt(let path, _),
      .notPreferences(let path), .emptyFile(let path), .untrustedManagedFile(let path),
      .unwritable(let path, _), .refused(let path, _):
      path
    case .withinUpdate(let path): path.isEmpty ? nil : path
    case .unsaved(_, _, let error): error.path
    case .invalidDomainName, .noUserFolder, .missingValue, .wrongType, .readOnly, .unsupportedType,
      .unsupportedKeys, .nullValue, .nestedTooDeeply, .dateIsNaN, .lateApplication:
      nil
    }
  }

  /// The same refusal, of a copy of the file.
  func about(_ path: String) -> PreferencesError {
    if case .refused(_, let reason) = self { .refused(path: path, reason: reason) } else { self }
  }

  /// Whether a lock could not be acquired in time.
  var isTimeout: Bool {
    switch self {
    case .lockTimeout, .saveTimeout, .withinUpdate: true
    case .unsaved(_, _, let error): error.isTimeout
    default: false
    }
  }

  /// Whether another attempt may succeed soon: there was not enough time, or the process lacked
  /// descriptors or memory.
  var mayPass: Bool {
    switch self {
    case .lockTimeout, .saveTimeout: true
    case .storage(_, let error): error.isShortage
    default: false
    }
  }

  /// Whether the file may be valid at the next look.
  var mayBeTransient: Bool {
    switch self {
    case .emptyFile, .corrupt: true
    case .storage(_, let error): error.mayBeTransient
    default: false
    }
  }

  /// Whether the system failed to read a file, which may hold anything.
  var leavesContentsUnknown: Bool {
    if case .storage = self { true } else { false }
  }

  /// Whether the file was read and its contents are not those of preferences.
  var isAboutContents: Bool {
    switch self {
    case .emptyFile, .corrupt, .notPreferences, .refused: true
    default: false
    }
  }

  /// The path of a file that was read and whose contents are not those of preferences; nil for any
  /// other error.
  package var pathOfBadContents: String? {
    switch self {
    case .emptyFile(let path), .corrupt(let path, _), .notPreferences(let path): path
    default: nil
    }
  }

  /// Whether a file that could not be read will not be readable the next time either, because of
  /// its contents, type, permissions or disk, and not because the process lacks resources.
  var isOfTheFile: Bool {
    guard case .storage(_, let error) = self else { return isAboutContents }
    return error.isAboutFile
  }
}

extension PreferencesError: CustomStringConvertible {
  /// One line of text that begins with the file, where there is one.
  public var description: String {
    switch self {
    case .invalidDomainName(let name): "\"\(name)\" is not a valid domain name"
    case .noUserFolder:
      "no folder for preferences: the user has no home folder, and XDG_CONFIG_HOME is not set to an absolute path"
    case .storage(let path, let error): "\(path): \(error)"
    case .lockTimeout(let path, let waited, let lockFile?):
      "\(path): \(FileSystemError.lockTimeout(waited: waited, lockFile: lockFile)); nothing was saved"
    case .lockTimeout(let path, let waited, nil):
      "\(path): \(FileSystemError.text(ofLockTimeout: waited)); nothing was saved"
    case .saveTimeout(let path, let waited):
      "\(path): the file could not be saved within \(FileSystemError.text(of: waited)); its changes stay"
    case .corrupt(let path, let error): "\(path): \(error)"
    case .notPreferences(let path): "\(path): the property list is not a dictionary of preferences"
    case .emptyFile(let path): "\(path): the file is empty; expected a property list"
    case .refused(let path, let reason): "\(path): refused by the program: \(reason)"
    case .readOnly(let domain): "\(domain): the store is read-only"
    case .untrustedManagedFile(let path):
      "\(path): ignored, because users other than root can change it or a folder above it"
    case .unsupportedType(_, let place), .unsupportedKeys(_, let place), .nullValue(let place),
      .dateIsNaN(let place):
      place.isRoot ? unstorableText : "\(place.excerpt): \(unstorableText)"
    case .nestedTooDeeply(_, let place):
      place.isRoot ? unstorableText : "\(place.excerpt): \(unstorableText)"
    case .missingValue(let key, let domain): "\(domain), \(key): there is no value"
    case .wrongType(let key, let expected, let found, let layer):
      "\(layer.place), \(key): expected \(expected), found \(found.withArticle)"
    case .unwritable(let path, let error): "\(path): \(error)"
    case .unsaved(let count, let total, let error):
      "\(count) of \(total) domains are not saved; the first: \(error)"
    case .withinUpdate(let path):
      (path.isEmpty ? "" : "\(path): ")
        + "an update cannot update or save the same preferences within itself; nothing was saved"
    case .lateApplication(let name, let used):
      "the application's domain cannot be named \"\(name)\" any more: its preferences are in use as "
        + "\"\(used)\"; setApplication(identifier:) must be called before that"
    }
  }
}
