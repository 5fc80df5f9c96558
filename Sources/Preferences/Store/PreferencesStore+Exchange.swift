internal import FileStorage
public import FoundationEssentials
internal import Glibc
public import PropertyList

/// Handing over what a domain holds.
extension PreferencesStore {
  /// Writes what the store's own domain holds, saved or not, to a property list of its own, in the place
  /// of whatever the path names.
  ///
  /// - Parameters:
  ///   - path: The path of the file, whose folder must exist.
  ///   - format: `.xml`, which rounds dates down to whole seconds, or `.binary`.
  /// - Throws: Why the domain cannot be read, or the file not be written; it is as it was then.
  public func export(to path: String, as format: PlistFormat = .xml) throws(PreferencesError) {
    let values = user.allValues
    if let problem = user.problem { throw problem }
    let data: Data
    do throws(PlistError) {
      data = try Plist.write(.dictionary(values), as: format)
    } catch {
      throw .unwritable(path: path, error)
    }
    do throws(FileSystemError) {
      try AtomicFile.write(data, to: path)
    } catch {
      throw PreferencesError(error, path: path)
    }
  }

  /// Writes what the store's own domain holds to a property list of its own, as
  /// ``export(to:as:)-(String,_)`` does.
  public func export(to url: URL, as format: PlistFormat = .xml) throws(PreferencesError) {
    try export(to: Self.path(of: url), as: format)
  }

  /// Reads a property list, of any format, into the store's own domain and saves it, as one step that no
  /// other process can come between.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - replacesAll: Whether values of which the file says nothing are removed.
  /// - Throws: Why the file cannot be read or is no dictionary of what preferences may hold, or the domain
  ///   not be saved; nothing has changed then.
  public func `import`(
    from path: String, replacesAll: Bool = false
  ) throws(PreferencesError) {
    guard
      let contents = try DomainContents.read(
        path, unless: nil, attempts: 10, mayLeaveUnread: false
      ).contents,
      contents.version != nil
    else { throw .storage(path: path, SystemError(.open, code: ENOENT)) }
    do {
      try update { values in
        if replacesAll { values = PlistDictionary() }
        for (key, value) in contents.values { values[key] = value }
      }
    } catch {
      throw PreferencesError(error)
    }
  }

  /// Reads a property list into the store's own domain, as ``import(from:replacesAll:)-(String,_)`` does.
  public func `import`(from url: URL, replacesAll: Bool = false) throws(PreferencesError) {
    try `import`(from: Self.path(of: url), replacesAll: replacesAll)
  }

  private static func path(of url: URL) throws(PreferencesError) -> String {
    guard url.isFileURL else {
      throw .storage(path: url.absoluteString, SystemError(.open, code: EPROTONOSUPPORT))
    }
    return url.path(percentEncoded: false)
  }
}
