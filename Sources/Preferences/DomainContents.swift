internal import FileStorage
internal import FoundationEssentials
internal import PropertyList

/// What the file of a domain holds.
struct DomainContents: Sendable {
  var values = PlistDictionary()
  var format: PlistFormat?
  /// The state of the file; nil where there is none.
  var identity: FileIdentity?

  /// No file.
  init() {}

  /// Reads the contents of a file.
  init(_ contents: FileContents, path: String) throws(PreferencesError) {
    guard !contents.data.isEmpty else { throw .emptyFile(path: path) }
    let document: PlistDocument
    do throws(PlistError) {
      document = try PropertyList.read(contents.data)
    } catch {
      throw .corrupt(path: path, error)
    }
    guard case .dictionary(let values) = document.value, Self.mayBePreferences(document) else {
      throw .notPreferences(path: path)
    }
    self.values = values
    format = document.format
    identity = contents.identity
  }

  /// Null and sets come from binary files alone, and no other format could keep them.
  private static func mayBePreferences(_ document: PlistDocument) -> Bool {
    guard document.format == .binary else { return true }
    var remaining = [document.value]
    while let value = remaining.popLast() {
      switch value {
      case .null, .set: return false
      case .array(let elements): remaining.append(contentsOf: elements)
      case .dictionary(let dictionary): remaining.append(contentsOf: dictionary.values)
      default: break
      }
    }
    return true
  }

  /// What a file holds that was just read, nil for none; it is not parsed again where that is known.
  init(
    _ found: FileContents?, unless known: DomainContents?, path: String
  ) throws(PreferencesError) {
    if let found, let known, known.identity == found.identity {
      self = known
    } else if let found {
      try self.init(found, path: path)
    } else {
      self.init()
    }
  }

  /// Reads a file; nil where it is still in the state that is known.
  ///
  /// A file that does not parse may be in the middle of being written by a program that truncates it
  /// first: it gets some time to become whole.
  static func read(
    _ path: String, unless known: FileIdentity?
  ) throws(PreferencesError) -> DomainContents? {
    var attempts = 0
    while true {
      do throws(PreferencesError) {
        let found: FileContents?
        do throws(SystemError) {
          let file = try AtomicFile(path)
          if let known, try file.identity() == known { return nil }
          found = try file.read()
        } catch {
          guard error.isMissing else { throw .storage(path: path, error) }
          found = nil
        }
        return try DomainContents(found, unless: nil, path: path)
      } catch {
        attempts += 1
        guard error.mayPass, attempts < 10 else { throw error }
        CommitScheduler.sleep(.milliseconds(20))
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
      options.exact = pinned == nil
      let format = pinned ?? (format == .binary ? .binary : .xml)
      do throws(PlistError) {
        return try PropertyList.write(.dictionary(values), as: format, options: options)
      } catch {
        guard format == .xml, pinned == nil else { throw error }
        return try PropertyList.write(.dictionary(values), as: .binary)
      }
    } catch {
      throw .unwritable(path: path, error)
    }
  }
}
