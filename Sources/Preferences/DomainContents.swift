internal import FileStorage
internal import FoundationEssentials
internal import PropertyList

/// What the file of a domain holds.
struct DomainContents: Sendable {
  var values = PlistDictionary()
  var format: PlistFormat?
  /// The state of the file; nil where there is none.
  var identity: FileIdentity?
  /// A hash of its bytes.
  var fingerprint: UInt64?

  /// No file.
  init() {}

  /// What is known from an earlier look.
  init(
    values: PlistDictionary, format: PlistFormat?, identity: FileIdentity?, fingerprint: UInt64?
  ) {
    self.values = values
    self.format = format
    self.identity = identity
    self.fingerprint = fingerprint
  }

  /// The hash of a file's bytes.
  static func fingerprint(of data: Data) -> UInt64 {
    data.withUnsafeBytes { ByteHash.hash($0) }
  }

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
    fingerprint = Self.fingerprint(of: contents.data)
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

  /// What a file holds that was just read, nil for none, where it does not hold the bytes that are known.
  ///
  /// That is asked of the bytes: two states of a file that follow each other within one tick of the clock
  /// can look the same from outside.
  ///
  /// - Returns: Nil where the file holds what is known.
  static func read(
    _ found: FileContents?, unless known: DomainContents?, path: String
  ) throws(PreferencesError) -> DomainContents? {
    guard let found else { return DomainContents() }
    if let known, known.fingerprint == fingerprint(of: found.data) { return nil }
    return try DomainContents(found, path: path)
  }

  /// Looks at a file.
  ///
  /// A file that does not parse may be in the middle of being written by a program that truncates it
  /// first: it gets some time to become whole.
  ///
  /// - Parameters:
  ///   - known: What the file was found to hold before.
  ///   - attempts: How often to look at one that does not parse.
  /// - Returns: The state of the file, nil where there is none, and what it holds, nil where that is
  ///   known.
  static func read(
    _ path: String, unless known: DomainContents?, attempts: Int
  ) throws(PreferencesError) -> (identity: FileIdentity?, contents: DomainContents?) {
    var attempt = 1
    while true {
      do throws(PreferencesError) {
        let found: FileContents?
        do throws(SystemError) {
          let file = try AtomicFile(path)
          if let identity = known?.identity, identity.isSettled, try file.identity() == identity {
            return (identity, nil)
          }
          found = try file.read()
        } catch {
          guard error.isMissing else { throw .storage(path: path, error) }
          found = nil
        }
        return (found?.identity, try read(found, unless: known, path: path))
      } catch {
        guard error.mayPass, attempt < attempts else { throw error }
        attempt += 1
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
