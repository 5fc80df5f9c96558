internal import FileStorage
internal import FoundationEssentials
internal import PropertyList
internal import Threading

/// What the file of a domain holds.
struct DomainContents: Sendable {
  /// The values, unless ``unread`` has them.
  var values = PlistDictionary()
  /// A large document whose values have not been made yet.
  private(set) var unread: Unread?
  var format: PlistFormat?
  /// The content of the file as it can be known again; nil where there is no file.
  var version: FileVersion?

  /// A large document whose values have not been made yet.
  struct Unread: Sendable {
    var dictionary: BinaryDictionary
    /// What the file held; to make it something that can be known again takes its time, too.
    var contents: FileContents
  }

  /// No file.
  init() {}

  /// What is known from an earlier look.
  init(values: PlistDictionary, format: PlistFormat?, version: FileVersion?) {
    self.values = values
    self.format = format
    self.version = version
  }

  /// Reads the contents of a file.
  ///
  /// - Parameter mayLeaveUnread: Whether the values of a large one may be left in ``unread``.
  init(
    _ contents: FileContents, path: String, mayLeaveUnread: Bool = false
  ) throws(PreferencesError) {
    guard !contents.data.isEmpty else { throw .emptyFile(path: path) }
    do throws(PlistError) {
      if mayLeaveUnread, contents.data.count >= Self.largeSize,
        PlistFormat(detecting: contents.data) == .binary
      {
        format = .binary
        if let dictionary = try BinaryDictionary(contents.data), !dictionary.hasNullOrSet {
          unread = Unread(dictionary: dictionary, contents: contents)
          return
        }
      } else {
        let document = try Plist.read(contents.data)
        format = document.format
        version = contents.version
        if case .dictionary(let values) = document.value, Self.mayBePreferences(document) {
          self.values = values
          return
        }
      }
    } catch {
      throw .corrupt(path: path, error)
    }
    throw .notPreferences(path: path)
  }

  /// From so many bytes on a few values are found sooner than all are made.
  private static let largeSize = 256 << 10

  /// Null comes from binary files and JSON, and sets from binary files; XML could keep neither.
  private static func mayBePreferences(_ document: PlistDocument) -> Bool {
    guard document.format == .binary || document.format == .json else { return true }
    // Values that hold no others, as most do, are not put on the list.
    var containers = [document.value]
    func mayBe(_ value: PlistValue) -> Bool {
      switch value {
      case .null, .set: return false
      case .array, .dictionary: containers.append(value)
      default: break
      }
      return true
    }
    while let container = containers.popLast() {
      switch container {
      case .array(let elements):
        guard elements.allSatisfy(mayBe) else { return false }
      case .dictionary(let dictionary):
        guard dictionary.allSatisfy({ mayBe($0.value) }) else { return false }
      default: return mayBe(container)
      }
    }
    return true
  }

  /// What a look at a file found; nil where that is what is known.
  init?(
    _ found: ConditionalRead, path: String, mayLeaveUnread: Bool = false
  ) throws(PreferencesError) {
    switch found {
    case .unchanged: return nil
    case .missing: self.init()
    case .contents(let contents):
      try self.init(contents, path: path, mayLeaveUnread: mayLeaveUnread)
    }
  }

  /// Looks at a file.
  ///
  /// A file that does not parse may be in the middle of being written by a program that truncates it
  /// first: it gets some time to become whole.
  ///
  /// - Parameters:
  ///   - known: What the file was found to hold before.
  ///   - attempts: How often to look at one that does not parse.
  ///   - mayLeaveUnread: Whether the values of a large one may be left in ``unread``.
  /// - Returns: What was found, and what it is, nil where that is what is known.
  static func read(
    _ path: String, unless known: FileVersion?, attempts: Int, mayLeaveUnread: Bool
  ) throws(PreferencesError) -> (found: ConditionalRead, contents: DomainContents?) {
    var attempt = 1
    while true {
      do throws(PreferencesError) {
        let found: ConditionalRead
        do throws(FileSystemError) {
          found = try AtomicFile(path).readIfChanged(since: known)
        } catch {
          guard error.isMissing else { throw PreferencesError(error, path: path) }
          found = .missing
        }
        return (found, try DomainContents(found, path: path, mayLeaveUnread: mayLeaveUnread))
      } catch {
        guard error.mayPass, attempt < attempts else { throw error }
        attempt += 1
        Duration.milliseconds(20).sleep()
      }
    }
  }

  /// The bytes for values in the place of these.
  ///
  /// A file keeps its format, and a new one is XML, as long as XML holds every value exactly; where it
  /// would round or refuse one, the file becomes binary.
  func data(
    for values: PlistDictionary, pinned: PlistFormat?, path: String
  ) throws(PreferencesError) -> Data {
    do throws(PlistError) {
      var options = PlistWriteOptions()
      options.rejectsFractionalSeconds = pinned == nil
      let format = pinned ?? (format == .binary ? .binary : .xml)
      do throws(PlistError) {
        return try Plist.write(.dictionary(values), as: format, options: options)
      } catch {
        guard format == .xml, pinned == nil else { throw error }
        return try Plist.write(.dictionary(values), as: .binary)
      }
    } catch {
      throw .unwritable(path: path, error)
    }
  }
}
