internal import FileStorage
internal import FoundationEssentials
internal import PropertyList
internal import Threading

/// The contents of the file of a domain.
struct DomainContents: Sendable {
  /// The values, unless they are ``lazy``.
  var values = PlistDictionary()
  /// A large document whose values have not been decoded yet.
  private(set) var lazy: Lazy?
  var format: PlistFormat?
  /// Identifies the contents of the file in later looks; nil if there is no file.
  var version: FileVersion?

  /// A large binary document whose values are decoded when they are looked up.
  struct Lazy: Sendable {
    var dictionary: BinaryDictionary
    /// The contents of the file. Its version takes a pass over all bytes, which can wait, too.
    var contents: FileContents
  }

  /// No file.
  init() {}

  /// Contents known from an earlier look.
  init(values: PlistDictionary, format: PlistFormat?, version: FileVersion?) {
    self.values = values
    self.format = format
    self.version = version
  }

  // MARK: Reading

  /// The largest size of a file that is read.
  static let sizeLimit = PlistLimits().maximumSize

  /// Parses the contents of a file.
  ///
  /// - Parameter allowsLazy: Whether the values of a large one may be left in ``lazy``.
  init(
    _ contents: FileContents, path: String, allowsLazy: Bool = false
  ) throws(PreferencesError) {
    guard !contents.data.isEmpty else { throw .emptyFile(path: path) }
    do throws(PlistError) {
      if allowsLazy, contents.data.count >= Self.lazySize,
        PlistFormat(detecting: contents.data) == .binary
      {
        format = .binary
        if let dictionary = try BinaryDictionary(contents.data), !dictionary.hasNullOrSet {
          lazy = Lazy(dictionary: dictionary, contents: contents)
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

  /// The size in bytes from which looking up a few values costs less than decoding all of them.
  private static let lazySize = 256 << 10

  /// Whether the document holds nothing but what preferences may hold. Null occurs in binary files
  /// and JSON, sets in binary files; XML could keep neither.
  private static func mayBePreferences(_ document: PlistDocument) -> Bool {
    guard document.format == .binary || document.format == .json else { return true }
    // Most values hold no others and are not put on the list.
    var containers = [document.value]
    func mayBe(_ value: PlistValue) -> Bool {
      switch value {
      case .null, .set: return false
      case .array, .dictionary: containers.append(value)
      default: break
      }
      return true
    }
    var checked = ContainerMemo<Void>()
    while let container = containers.popLast() {
      if checked.result(for: container) != nil { continue }
      checked.insert((), for: container)
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

  /// Parses what a look at a file found; nil if it holds what is known already.
  init?(
    _ present: ConditionalRead, path: String, allowsLazy: Bool = false
  ) throws(PreferencesError) {
    switch present {
    case .unchanged: return nil
    case .missing: self.init()
    case .contents(let contents):
      try self.init(contents, path: path, allowsLazy: allowsLazy)
    }
  }

  /// Looks at a file.
  ///
  /// A file that does not parse may be in the middle of being written by a program that truncates
  /// it first: it is looked at again until it parses or the attempts are used up. So is, but fewer
  /// times, a file that the system fails to read.
  ///
  /// - Parameters:
  ///   - known: The version that is known already.
  ///   - attempts: The number of looks at a file that does not parse.
  ///   - deadline: The time of the last of them; nil for no limit.
  ///   - allowsLazy: Whether the values of a large one may be left in ``lazy``.
  /// - Returns: What was found, and its contents; nil for these if they are known already.
  static func read(
    _ path: String, unless known: FileVersion?, attempts: Int,
    until deadline: ContinuousClock.Instant?, allowsLazy: Bool
  ) throws(PreferencesError) -> (present: ConditionalRead, contents: DomainContents?) {
    var attempt = 1
    while true {
      do throws(PreferencesError) {
        let present = try PreferencesError.wrapping(path) { () throws(FileSystemError) in
          try AtomicFile.readIfChanged(path, since: known, limit: sizeLimit)
        }
        return (present, try DomainContents(present, path: path, allowsLazy: allowsLazy))
      } catch {
        let limit = error.leavesContentsUnknown ? min(attempts, systemAttempts) : attempts
        guard error.mayBeTransient, attempt < limit, deadline.map({ .now < $0 }) ?? true else {
          throw error
        }
        attempt += 1
        Duration.milliseconds(20).sleep()
      }
    }
  }

  /// The number of looks at a file that the system fails to read.
  private static let systemAttempts = 3

  // MARK: Writing

  /// Encodes the values.
  ///
  /// A file keeps its format, and a new one is XML, as long as XML holds every value exactly; where
  /// it would round or refuse one, the file becomes binary.
  ///
  /// - Parameter pinned: The format that the file is held to; nil for the rule above.
  /// - Returns: The document, its format, and why it is binary if XML was expected.
  func encode(
    pinned: PlistFormat?, path: String
  ) throws(PreferencesError) -> (data: Data, format: PlistFormat, obstacle: PlistError?) {
    do throws(PlistError) {
      var options = PlistWriteOptions()
      options.rejectsFractionalSeconds = pinned == nil
      let format = pinned ?? (format == .binary ? .binary : .xml)
      do throws(PlistError) {
        return (try Plist.write(.dictionary(values), as: format, options: options), format, nil)
      } catch {
        guard format == .xml, pinned == nil else { throw error }
        return (try Plist.write(.dictionary(values), as: .binary), .binary, error)
      }
    } catch {
      throw .unwritable(path: path, error)
    }
  }
}
