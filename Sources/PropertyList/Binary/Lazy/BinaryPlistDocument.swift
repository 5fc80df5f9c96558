internal import Synchronization

/// A binary property list in a file. Only requested values are read.
///
/// ```swift
/// let library = try BinaryPlistDocument(path: "library.plist")
/// let name = try library.value(at: PlistKeyPath("Tracks.15000.Name"))
/// ```
///
/// The file stays open, and about 256 KiB of it are cached in memory. Values are those that
/// ``PropertyList/Plist/read(_:as:options:)`` returns. Whatever is read on the way to a value is
/// validated; damage elsewhere goes unnoticed.
///
/// If the file is replaced, the document continues to read the original. If the file is modified in
/// place, as its size and times show, every later call throws ``PlistError/Kind/fileChanged``. A
/// modification within milliseconds of the previous one may leave the times unchanged and cause
/// wrong values, but no crash.
///
/// A document can be used from several threads; reads are serialized.
public final class BinaryPlistDocument: Sendable {
  private let file: Mutex<BinaryFile>
  private let limits: PlistLimits

  /// Opens a regular file and validates its trailer.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - limits: Limits on size, depth and nodes; nodes are counted for each requested value
  ///     separately.
  /// - Throws: An error if the file cannot be opened or its trailer is malformed.
  public init(path: String, limits: PlistLimits = PlistLimits()) throws(PlistError) {
    file = Mutex(try BinaryFile(path: path, limits: limits))
    self.limits = limits
  }

  /// Returns the value at a path, or nil if there is none.
  ///
  /// The time is linear in the number of keys of the dictionaries along the path and in the size of
  /// the value.
  ///
  /// - Throws: An error if an object along the path or in the value is malformed, or the file has
  ///   changed.
  public func value(at path: PlistKeyPath) throws(PlistError) -> PlistValue? {
    try withObject(at: path) { (file, object) throws(PlistError) in
      try read(object, in: file, at: path)
    }
  }

  /// Returns the kind of the value at a path, or nil if there is none.
  ///
  /// - Throws: An error if an object along the path is malformed, or the file has changed.
  public func kind(at path: PlistKeyPath) throws(PlistError) -> PlistValue.Kind? {
    try withObject(at: path) { (file, object) throws(PlistError) in
      if let kind = try file.kind(of: object) { return kind }
      return try read(object, in: file, at: path).kind
    }
  }

  /// Returns the number of elements of the array or set, or of distinct keys of the dictionary, at
  /// a path; nil if there is no container.
  ///
  /// The keys of a dictionary are read for that, because they may repeat.
  ///
  /// - Throws: An error if an object along the path or a key is malformed, or the file has changed.
  public func count(at path: PlistKeyPath) throws(PlistError) -> Int? {
    try withObject(at: path) { (file, object) throws(PlistError) in
      switch try file.kind(of: object) {
      case .array, .set: try file.elementCount(of: object)
      case .dictionary: try keys(of: object, in: file, at: path).count
      default: nil
      }
    }
  }

  /// Returns the distinct keys, in document order, of the dictionary at a path, or nil if there is
  /// none.
  ///
  /// - Throws: An error if an object along the path or a key is malformed, or the file has changed.
  public func keys(at path: PlistKeyPath) throws(PlistError) -> [String]? {
    try withObject(at: path) { (file, object) throws(PlistError) in
      guard try file.kind(of: object) == .dictionary else { return nil }
      return try keys(of: object, in: file, at: path)
    }
  }

  /// The number of bytes read from the file so far.
  var bytesRead: Int { file.withLock { $0.bytes.bytesRead } }

  // MARK: Reading

  /// Calls the closure with the object at a path, with the lock held.
  private func withObject<Result: Sendable>(
    at path: PlistKeyPath, _ body: @Sendable (BinaryFile, Int) throws(PlistError) -> Result?
  ) throws(PlistError) -> Result? {
    try file.withLock { file throws(PlistError) in
      try file.bytes.checkUnchanged()
      let result: Swift.Result<Result?, PlistError>
      do throws(PlistError) {
        let object = try find(path, in: file)
        result = .success(
          try object.flatMap { object throws(PlistError) in try body(file, object) })
      } catch {
        result = .failure(error)
      }
      // The result, an error too, may come from a file that was being modified.
      try file.bytes.checkUnchanged()
      return try result.get()
    }
  }

  /// Returns the number of the object at a path, or nil if there is none.
  private func find(_ path: PlistKeyPath, in file: BinaryFile) throws(PlistError) -> Int? {
    var object = file.trailer.topObject
    var visited: Set<Int> = []
    for (depth, component) in path.components.enumerated() {
      do throws(PlistError) {
        visited.insert(object)
        guard let next = try file.child(component, of: object) else { return nil }
        try limits.checkDepth(depth + 1, at: .byte(try file.checkedOffset(of: object)))
        if visited.contains(next) {
          throw PlistError(.cycle, at: .byte(try file.checkedOffset(of: next)))
        }
        object = next
      } catch {
        let place = PlistKeyPath(components: Array(path.components.prefix(depth)))
        throw PlistError(error.kind, at: error.location, keyPath: place)
      }
    }
    return object
  }

  /// Reads an object, or only the keys of a dictionary as an array.
  private func read(
    _ object: Int, keysOnly: Bool = false, in file: BinaryFile, at path: PlistKeyPath
  ) throws(PlistError) -> PlistValue {
    do throws(PlistError) {
      return try BinarySubdocument.read(
        object, keysOnly: keysOnly, in: file, depth: path.components.count, limits: limits)
    } catch {
      var error = error
      error.keyPath.components.insert(contentsOf: path.components, at: 0)
      throw error
    }
  }

  private func keys(
    of object: Int, in file: BinaryFile, at path: PlistKeyPath
  ) throws(PlistError) -> [String] {
    guard case .array(let elements) = try read(object, keysOnly: true, in: file, at: path) else {
      return []
    }
    var keys = PlistDictionary()
    for element in elements {
      guard case .string(let key) = element else { throw PlistError(.keyNotString, keyPath: path) }
      keys[key] = .null
    }
    return Array(keys.keys)
  }
}
