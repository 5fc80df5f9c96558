internal import FileStorage
public import FoundationEssentials
internal import Glibc
public import PropertyList

/// Import and export of the store's own domain.
extension PreferencesStore {
  /// Exports the store's own domain, saved or not, to a property list, replacing an existing file.
  ///
  /// - Parameters:
  ///   - path: The path of the file, whose folder must exist.
  ///   - format: XML rounds dates down to whole seconds.
  /// - Throws: The reason if the domain cannot be read or the file cannot be written; an existing
  ///   file is then unchanged.
  public func export(to path: String, as format: PlistFormat = .xml) throws(PreferencesError) {
    let values = user.allValues
    if let problem = user.problem { throw problem }
    let data: Data
    do throws(PlistError) { data = try Plist.write(.dictionary(values), as: format) } catch {
      throw .unwritable(path: path, error)
    }
    try PreferencesError.wrapping(path) { () throws(FileSystemError) in
      try AtomicFile.write(data, to: path)
    }
  }

  /// Exports the store's own domain to a property list.
  ///
  /// - Throws: The errors of the function that takes a path.
  public func export(to url: URL, as format: PlistFormat = .xml) throws(PreferencesError) {
    try export(to: Self.path(of: url), as: format)
  }

  /// Imports a property list of any format into the store's own domain and saves it, atomically.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - replacesAll: Whether keys that are not in the file are removed.
  /// - Throws: The reason if the file cannot be read, if it is not a dictionary of values that
  ///   preferences can hold, or if the domain cannot be saved; nothing has then changed.
  public func `import`(from path: String, replacesAll: Bool = false) throws(PreferencesError) {
    let limit = TimeLimit(from: engine.runtime.disk.now)
    try `import`(from: path, replacesAll: replacesAll, within: limit)
  }

  func `import`(
    from path: String, replacesAll: Bool, within limit: TimeLimit
  ) throws(PreferencesError) {
    guard
      let contents = try DomainContents.read(path, attempts: 10, on: engine.runtime.disk).contents,
      contents.file != nil
    else {
      throw .storage(path: path, SystemError(.open, code: ENOENT))
    }
    try commit(within: limit) { values in
      if replacesAll { values = PlistDictionary() }
      for (key, value) in contents.values { values[key] = value }
      return Result<Void, Never>.success(())
    }.get()
  }

  /// Imports a property list into the store's own domain and saves it.
  ///
  /// - Throws: The errors of the function that takes a path.
  public func `import`(from url: URL, replacesAll: Bool = false) throws(PreferencesError) {
    try `import`(from: Self.path(of: url), replacesAll: replacesAll)
  }

  static func path(of url: URL) throws(PreferencesError) -> String {
    guard url.isFileURL else {
      throw .storage(path: url.absoluteString, SystemError(.open, code: EPROTONOSUPPORT))
    }
    return url.path(percentEncoded: false)
  }
}
