internal import FileStorage
internal import FoundationEssentials
internal import PropertyList
internal import Threading

/// The contents of a domain's file.
struct DomainContents: Sendable {
  var values = PlistDictionary()
  /// Nil if there is no file.
  var file: File?
  /// The file's ``Stamps``. They are separated from the values, and joined with them again, only
  /// here, so that no other code must hide them.
  var stamps: StampText?

  struct File: Sendable {
    /// Identifies the contents in later reads.
    var version: FileVersion
    var format: PlistFormat
    /// Whether the file has comments, according to a search for their first characters.
    var hasComments = false
  }
}

extension DomainContents {
  // MARK: Reading

  /// Parses the contents of a file.
  private init(_ contents: FileContents, path: String) throws(PreferencesError) {
    self.init()
    guard !contents.data.isEmpty else { throw .emptyFile(path: path) }
    do throws(PlistError) {
      let document = try Plist.read(contents.data)
      file = File(
        version: contents.version, format: document.format,
        hasComments: document.format == .xml && Plist.mayHaveComments(contents.data))
      if case .dictionary(let values) = document.value, Self.mayBePreferences(document) {
        self.values = values
        splitStamps()
        // A server keeps the values of many files in memory.
        self.values.trimCapacity()
        return
      }
    } catch {
      throw .corrupt(path: path, error)
    }
    throw .notPreferences(path: path)
  }

  private mutating func splitStamps() {
    guard case .string(let text)? = values[Stamps.key] else { return }
    values[Stamps.key] = nil
    stamps = StampText(text)
  }

  /// The values as the file stores them.
  var storedValues: PlistDictionary {
    guard let stamps else { return values }
    var joined = values
    joined[Stamps.key] = .string(stamps.text)
    return joined
  }

  /// Whether preferences may hold all values of the document. Binary files and JSON can contain
  /// null, and binary files can contain sets; XML cannot represent either.
  private static func mayBePreferences(_ document: PlistDocument) -> Bool {
    guard document.format == .binary || document.format == .json else { return true }
    // Most values are not containers, and are checked without being added to the list.
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

  /// Reads a file.
  ///
  /// - Returns: The state of the file, and its contents unless they are the known version.
  static func read(
    _ path: String, unless known: FileVersion? = nil, attempts: Int,
    until deadline: ContinuousClock.Instant? = nil, expectsFile: Bool = false, on disk: any Disk
  ) throws(PreferencesError) -> (present: ConditionalRead, contents: DomainContents?) {
    try read(
      path, attempts: attempts, systemAttempts: min(attempts, 3), until: deadline,
      expectsFile: expectsFile, on: disk
    ) { () throws(PreferencesError) in try disk.read(path, since: known) }
  }

  /// Reads a file with a closure, which returns the contents unless they are a known version.
  ///
  /// A program that truncates a file and then writes it may not have finished: a file that does not
  /// parse is read again until it does, the attempts are used up, or time runs out. Some programs
  /// rename a file away before they write it again: a missing file is read once more.
  ///
  /// - Parameters:
  ///   - systemAttempts: The number of attempts while the system fails to read the file.
  ///   - expectsFile: Whether the file existed when it was last read.
  static func read(
    _ path: String, attempts: Int, systemAttempts: Int, until deadline: ContinuousClock.Instant?,
    expectsFile: Bool, on disk: any Disk,
    _ body: () throws(PreferencesError) -> ConditionalRead
  ) throws(PreferencesError) -> (present: ConditionalRead, contents: DomainContents?) {
    var attempt = 1
    var retriesMissing = expectsFile
    while true {
      do throws(PreferencesError) {
        let present = try body()
        switch present {
        case .unchanged: return (present, nil)
        case .missing where retriesMissing:
          retriesMissing = false
          disk.sleep(for: MissingFile.timeToReturn)
        case .missing: return (present, DomainContents())
        case .contents(let contents):
          return (present, try DomainContents(contents, path: path))
        }
      } catch {
        let limit = if case .contents = error.cause { attempts } else { systemAttempts }
        guard error.cause.mayPassSoon, attempt < limit, deadline.map({ disk.now < $0 }) ?? true
        else { throw error }
        attempt += 1
        disk.sleep(for: .milliseconds(20))
      }
    }
  }

  // MARK: Writing

  /// Encodes the values.
  ///
  /// A file keeps its format, and a new file is XML. If XML cannot represent a value exactly, the
  /// file becomes binary, unless its format is pinned.
  ///
  /// - Returns: The document, its format, and why it is binary if XML was expected.
  func encode(
    pinned: PlistFormat?, path: String
  ) throws(PreferencesError) -> (data: Data, format: PlistFormat, obstacle: PlistError?) {
    do throws(PlistError) {
      var options = PlistWriteOptions()
      options.rejectsFractionalSeconds = pinned == nil
      let document = PlistValue.dictionary(storedValues)
      let format = pinned ?? (file?.format == .binary ? .binary : .xml)
      do throws(PlistError) {
        return (try Plist.write(document, as: format, options: options), format, nil)
      } catch {
        guard format == .xml, pinned == nil else { throw error }
        return (try Plist.write(document, as: .binary), .binary, error)
      }
    } catch {
      throw .unwritable(path: path, error)
    }
  }
}
