internal import Synchronization

/// A binary property list in a file, of which only what is asked for is read.
///
/// ```swift
/// let library = try BinaryPlistDocument(path: "library.plist")
/// let name = try library.value(at: PlistKeyPath("Tracks.15000.Name"))
/// ```
///
/// The file stays open, and little more than 256 KiB of it in memory. What is found is what
/// ``PropertyList/Plist/read(_:as:options:)`` would find. All that is read on the way is checked as
/// there; damage elsewhere goes unnoticed.
///
/// A file that is replaced is read on as it was. One that is changed in its place, of which size and times
/// tell, gives errors from then on. A change within milliseconds of the one before may not show in the
/// times; it can give wrong values then, and nothing worse.
///
/// It may be used by several threads, one of which at a time reads.
public final class BinaryPlistDocument: Sendable {
  private let file: Mutex<BinaryFile>
  private let limits: PlistLimits

  /// Opens a file, which has to be a regular one, and reads its trailer.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - limits: What the document may ask of the machine; nodes are counted for each value by itself.
  /// - Throws: What is wrong with the file or its trailer.
  public init(path: String, limits: PlistLimits = PlistLimits()) throws(PlistError) {
    file = Mutex(try BinaryFile(path: path, limits: limits))
    self.limits = limits
  }

  /// The value at the end of a path; nil where the path leads nowhere.
  ///
  /// The time that it takes grows with the numbers of keys of the dictionaries on the way, and with the
  /// value.
  ///
  /// - Throws: What is wrong with what had to be read.
  public func value(at path: PlistKeyPath) throws(PlistError) -> PlistValue? {
    try look(at: path) { (file, object) throws(PlistError) in
      try read(object, in: file, at: path)
    }
  }

  /// What sort of value is at the end of a path; nil where the path leads nowhere.
  public func kind(at path: PlistKeyPath) throws(PlistError) -> PlistValue.Kind? {
    try look(at: path) { (file, object) throws(PlistError) in
      if let kind = try file.kind(of: object) { return kind }
      return try read(object, in: file, at: path).kind
    }
  }

  /// How many elements the array or set at the end of a path has, or how many keys the dictionary; nil for
  /// other values, and where the path leads nowhere.
  ///
  /// The keys of a dictionary are read, since equal ones count once.
  public func count(at path: PlistKeyPath) throws(PlistError) -> Int? {
    try look(at: path) { (file, object) throws(PlistError) in
      switch try file.kind(of: object) {
      case .array, .set: try file.elementCount(of: object)
      case .dictionary: try keys(of: object, in: file, at: path).count
      default: nil
      }
    }
  }

  /// The keys, in the order of the document, of the dictionary at the end of a path; nil for other values,
  /// and where the path leads nowhere.
  public func keys(at path: PlistKeyPath) throws(PlistError) -> [String]? {
    try look(at: path) { (file, object) throws(PlistError) in
      guard try file.kind(of: object) == .dictionary else { return nil }
      return try keys(of: object, in: file, at: path)
    }
  }

  /// How many bytes were read from the file so far.
  var bytesRead: Int { file.withLock { $0.bytes.bytesRead } }

  // MARK: Looks at the file

  /// Gives the closure the object at the end of a path.
  private func look<Result: Sendable>(
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
      // Whatever was found, damage included, can be that of a file in the middle of a change.
      try file.bytes.checkUnchanged()
      return try result.get()
    }
  }

  /// The number of the object at the end of a path; nil where the path leads nowhere.
  private func find(_ path: PlistKeyPath, in file: BinaryFile) throws(PlistError) -> Int? {
    var object = file.trailer.topObject
    var passed: Set<Int> = []
    for (depth, component) in path.components.enumerated() {
      do throws(PlistError) {
        passed.insert(object)
        guard let next = try file.find(component, below: object) else { return nil }
        guard depth < limits.maximumDepth else {
          throw PlistError(
            .tooDeep(limit: limits.maximumDepth), at: .byte(try file.checkedOffset(of: object)))
        }
        if passed.contains(next) {
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

  /// Makes the value of an object, or of a dictionary's keys alone.
  private func read(
    _ object: Int, keysOnly: Bool = false, in file: BinaryFile, at path: PlistKeyPath
  ) throws(PlistError) -> PlistValue {
    do throws(PlistError) {
      return try BinaryExcerpt.read(
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
