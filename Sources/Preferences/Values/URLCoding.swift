package import FoundationEssentials
package import PropertyList

/// URLs as preferences store them.
///
/// A file URL is stored as its path, and another as its text. Where that would not read back as the
/// same URL, it is stored as data: the keyed archive that Foundation stores.
package enum URLCoding {
  // MARK: Reading

  /// The URL that a value stands for; nil where it stands for none.
  ///
  /// A string that is an absolute URL letter for letter, with something behind its scheme, is that
  /// URL, so that `Report: final` is not. Any other string but the empty one is the path of a file,
  /// in which a leading `~` or `~user` means the home folder that the system knows of the user, and
  /// which is relative to the current folder of the process. It is a folder's only where it ends
  /// with a slash: the file system is not asked.
  ///
  /// Data is the keyed archive of a URL.
  package static func url(from value: PlistValue) -> URL? {
    switch value {
    case .string(let string):
      if string.isEmpty { return nil }
      if string.hasScheme, let url = URL(string: string, encodingInvalidCharacters: false) {
        return url
      }
      return URL(filePath: string, directoryHint: .inferFromPath)
    case .data(let data):
      return archivedURL(data)
    default:
      return nil
    }
  }

  // MARK: Writing

  /// The value that ``url(from:)`` reads as a URL.
  ///
  /// A relative URL keeps its base and comes back equal, but for one of a file, which comes back
  /// absolute. The home folder is not shortened to `~`, as Foundation on Linux does not.
  package static func value(for url: URL) -> PlistValue {
    var forms: [PlistValue] = []
    if url.isFileURL { forms.append(.string(url.absoluteURL.path(percentEncoded: false))) }
    if url.isFileURL || url.baseURL == nil { forms.append(.string(url.absoluteString)) }
    let form = forms.first { self.url(from: $0)?.absoluteString == url.absoluteString }
    return form ?? archive(of: url)
  }

  // MARK: Keyed archives

  /// How many bases of bases an archive may have.
  private static let baseLimit = 8

  /// The URL at the root of a keyed archive, which is a binary property list.
  private static func archivedURL(_ data: Data) -> URL? {
    guard PlistFormat(detecting: data) == .binary,
      case .dictionary(let archive)? = try? Plist.read(data, as: .binary).value,
      archive["$archiver"] == "NSKeyedArchiver", case .array(let objects)? = archive["$objects"],
      case .dictionary(let top)? = archive["$top"]
    else { return nil }

    func object(_ reference: PlistValue?) -> PlistValue? {
      guard case .uid(let uid)? = reference, let index = Int(exactly: uid),
        objects.indices.contains(index)
      else { return nil }
      return objects[index]
    }

    // From the root to the base of its bases, each resolved by the next one.
    var texts: [String] = []
    var next = object(top["root"])
    while case .dictionary(let members)? = next, texts.count <= baseLimit {
      guard case .dictionary(let kind)? = object(members["$class"]), kind["$classname"] == "NSURL",
        case .string(let text)? = object(members["NS.relative"])
      else { return nil }
      texts.append(text)
      // UID 0 is the archive's nil.
      next = members["NS.base"] == nil ? "$null" : object(members["NS.base"])
    }
    guard next == "$null" else { return nil }
    var url: URL?
    for text in texts.reversed() {
      // Foundation makes a URL of an empty text from components alone.
      url = text.isEmpty ? URLComponents().url(relativeTo: url) : URL(string: text, relativeTo: url)
      if url == nil { return nil }
    }
    return url
  }

  /// The keyed archive of a URL and its base.
  private static func archive(of url: URL) -> PlistValue {
    var objects: [PlistValue] = [
      "$null", ["$classes": ["NSURL", "NSObject"], "$classname": "NSURL"],
    ]
    func add(_ text: String, base: UInt32) -> UInt32 {
      objects.append(.string(text))
      objects.append([
        "$class": .uid(1), "NS.base": .uid(base), "NS.relative": .uid(UInt32(objects.count - 1)),
      ])
      return UInt32(objects.count - 1)
    }
    let base = url.baseURL.map { add($0.absoluteString, base: 0) } ?? 0
    let root = add(url.relativeString, base: base)
    let archive: PlistValue = [
      "$version": 100_000, "$archiver": "NSKeyedArchiver", "$top": ["root": .uid(root)],
      "$objects": .array(objects),
    ]
    guard let data = try? Plist.write(archive, as: .binary) else {
      return .string(url.absoluteString)
    }
    return .data(data)
  }
}

extension String {
  /// Whether the text begins with the scheme of a URL, and something behind it.
  fileprivate var hasScheme: Bool {
    guard let colon = utf8.firstIndex(where: { !$0.mayStandInScheme }),
      utf8[colon] == UInt8(ascii: ":"), utf8.first?.isLetter == true
    else { return false }
    return utf8.index(after: colon) != utf8.endIndex
  }
}

extension UInt8 {
  fileprivate var isLetter: Bool {
    UInt8(ascii: "a")...UInt8(ascii: "z") ~= self | 0x20
  }

  fileprivate var mayStandInScheme: Bool {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"),
      UInt8(ascii: "."):
      true
    default: isLetter
    }
  }
}
