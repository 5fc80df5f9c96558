package import FileStorage
public import PropertyList

/// Why preferences could not be read or saved.
///
/// A file with unusable contents (``corrupt(path:_:)``, ``notPreferences(path:)``,
/// ``emptyFile(path:)``, ``refused(path:reason:)``) is not overwritten until it is recovered.
public enum PreferencesError: Error, Sendable, Hashable {
  /// A domain's name is empty, `.` or `..`, or contains `/` or NUL, and would lead to a file
  /// elsewhere.
  case invalidDomainName(String)
  /// There is no folder for the user's files: neither `XDG_CONFIG_HOME` nor `HOME` names one, and
  /// the system's user database has no home folder for the user. See
  /// ``DomainLocations/hasUserFolder``.
  case noUserFolder
  /// A file or its folder cannot be read, locked or written.
  case storage(path: String, SystemError)
  /// A file was not saved because another process or thread still held its lock after this time.
  /// The changes are kept and can be saved later.
  ///
  /// - lockFile: The name of the lock file that another process held, in the file's folder; nil if
  ///   another thread of this process was working with the file.
  case lockTimeout(path: String, waited: Duration, lockFile: String?)
  /// A file was not saved in time because of its file system or too many other files. The changes
  /// are kept and can be saved later.
  case saveTimeout(path: String, waited: Duration)
  /// A file is not a property list.
  case corrupt(path: String, PlistError)
  /// A property list is not a dictionary that preferences can hold.
  case notPreferences(path: String)
  /// A file is empty, as other programs leave it while they write or after an interruption.
  case emptyFile(path: String)
  /// A file failed the program's check (``PreferencesStore/Options/check``), which threw an error
  /// with this text.
  case refused(path: String, reason: String)
  /// A step of a domain's migrations to this version threw an error with this text, or left values
  /// that preferences cannot hold. The file is unchanged.
  case failedMigration(path: String, version: Int, reason: String)
  /// The version of a domain is not the one that the program's migrations lead to
  /// (``PreferencesStore/Options/migrations``). The domain is not changed.
  ///
  /// - found: Zero for a domain without a version; nil if its version is not an integer.
  case otherVersion(path: String, found: Int?, expected: Int)
  /// A read-only store, named by its domain or the path of its file, cannot be changed or has
  /// refused a change since its last flush.
  case readOnly(String)
  /// A change failed the program's check (``PreferencesStore/Options/valueCheck`` or
  /// ``PreferencesStore/Options/check``), which threw an error with this text. Nothing has changed.
  ///
  /// - domain: The name of the store's domain, or the path of its file.
  /// - key: Nil if all values were checked.
  case refusedChange(domain: String, key: String?, reason: String)
  /// A file of managed preferences is ignored because it does not belong to root, or because others
  /// can write to it or to a folder above it.
  case untrustedManagedFile(path: String)
  /// Property lists do not have the type of the value at this path.
  case unsupportedType(String, at: PlistKeyPath)
  /// The dictionary at this path, of this type, has keys other than strings.
  case unsupportedKeys(String, at: PlistKeyPath)
  /// The value at this path is null.
  case nullValue(at: PlistKeyPath)
  /// A value's containers are nested so deeply that its domain would exceed this many levels. The
  /// path is the value's key, if it is known.
  case nestedTooDeeply(limit: Int, at: PlistKeyPath = PlistKeyPath())
  /// The date at this path is not a number.
  case dateIsNaN(at: PlistKeyPath)
  /// No layer has a value for the key. The domain is the name of a domain or the path of a file.
  case missingValue(key: String, domain: String)
  /// The value of a key, supplied by this layer, is not of the expected type, such as `an integer`.
  case wrongType(key: String, expected: String, found: PlistValue.Kind, layer: PreferencesLayer)
  /// A value cannot be written in any format.
  case unwritable(path: String, PlistError)
  /// Some domains were not saved in time; their changes are kept. The error is the first one.
  indirect case unsaved(count: Int, of: Int, PreferencesError)
  /// An update of the domain at this path tried to update or save the same domain on the same
  /// thread. The path is empty for a domain in memory.
  case withinUpdate(path: String)
  /// The application's domain was named too late: its preferences are in use under another name.
  case lateApplication(String, used: String)
}

extension PreferencesError {
  package init(_ error: FileSystemError, path: String) {
    switch error {
    case .failed(let operation, let code):
      self = .storage(path: path, SystemError(SystemError.Operation(operation), code: code))
    case .lockTimeout(let waited, let lockFile):
      self = .lockTimeout(path: path, waited: waited, lockFile: lockFile)
    }
  }

  static func wrapping<Result: ~Copyable>(
    _ path: String, _ body: () throws(FileSystemError) -> Result
  ) throws(PreferencesError) -> Result {
    do throws(FileSystemError) { return try body() } catch {
      throw PreferencesError(error, path: path)
    }
  }

  /// The path of the file that the error is about, if any.
  public var path: String? {
    switch self {
    case .storage(let path, _), .lockTimeout(let path, _, _), .saveTimeout(let path, _),
      .corrupt(let path, _), .notPreferences(let path), .emptyFile(let path),
      .untrustedManagedFile(let path), .unwritable(let path, _), .refused(let path, _),
      .failedMigration(let path, _, _), .otherVersion(let path, _, _):
      path
    case .withinUpdate(let path): path.isEmpty ? nil : path
    case .unsaved(_, _, let error): error.path
    case .invalidDomainName, .noUserFolder, .missingValue, .wrongType, .readOnly, .refusedChange,
      .unsupportedType, .unsupportedKeys, .nullValue, .nestedTooDeeply, .dateIsNaN,
      .lateApplication:
      nil
    }
  }

  /// The same refusal for a copy of the file.
  func about(_ path: String) -> PreferencesError {
    if case .refused(_, let reason) = self { .refused(path: path, reason: reason) } else { self }
  }
}

extension PreferencesError: CustomStringConvertible {
  /// One line that begins with the path of the file, if there is one.
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
      "\(path): the file could not be saved within \(FileSystemError.text(of: waited)); its changes are kept"
    case .corrupt(let path, let error): "\(path): \(error)"
    case .notPreferences(let path): "\(path): the property list is not a dictionary of preferences"
    case .emptyFile(let path): "\(path): the file is empty; expected a property list"
    case .refused(let path, let reason): "\(path): refused by the program: \(reason)"
    case .failedMigration(let path, let version, let reason):
      "\(path): the migration to version \(version) failed: \(reason)"
    case .otherVersion(let path, let found?, let expected):
      "\(path): the preferences have version \(found); "
        + (found > expected
          ? "this program knows versions up to \(expected) and does not change them"
          : "this program needs version \(expected) and does not change them")
    case .otherVersion(let path, nil, _):
      "\(path): the version of the preferences, \(PreferencesMigration.versionKey), is not an integer"
    case .readOnly(let domain): "\(domain): the store is read-only"
    case .refusedChange(let domain, let key?, let reason):
      "\(domain), \(key): refused by the program: \(reason)"
    case .refusedChange(let domain, nil, let reason):
      "\(domain): refused by the program: \(reason)"
    case .untrustedManagedFile(let path):
      "\(path): ignored, because users other than root can change it or a folder above it"
    case .unsupportedType(_, let place), .unsupportedKeys(_, let place), .nullValue(let place),
      .dateIsNaN(let place), .nestedTooDeeply(_, let place):
      place.isRoot ? unstorableText : "\(place.excerpt): \(unstorableText)"
    case .missingValue(let key, let domain): "\(domain), \(key): there is no value"
    case .wrongType(let key, let expected, let found, let layer):
      "\(layer.place), \(key): expected \(expected), found "
        + (expected.hasPrefix("\(found.withArticle) from ")
          ? "one out of this range" : found.withArticle)
    case .unwritable(let path, let error): "\(path): \(error)"
    case .unsaved(let count, let total, let error):
      "\(count) of \(total) domains were not saved; first error: \(error)"
    case .withinUpdate(let path):
      (path.isEmpty ? "" : "\(path): ")
        + "preferences cannot be updated or saved within their own update; nothing was saved"
    case .lateApplication(let name, let used):
      "cannot name the application's domain \"\(name)\": its preferences are already in use as "
        + "\"\(used)\"; call setApplication(identifier:) earlier"
    }
  }
}
