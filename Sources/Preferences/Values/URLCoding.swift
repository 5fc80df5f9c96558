package import FoundationEssentials
package import PropertyList

/// The stored form of URLs, which is Foundation's: a file URL that consists only of a path is
/// stored as its path, and any other URL as data, a keyed archive.
package enum URLCoding {

  /// Returns the URL that a value represents.
  ///
  /// - A string that is a valid absolute URL, with something after its scheme, is that URL,
  ///   although Foundation reads it as a path; `Report: final` is not one.
  /// - A JSON string, with its quotation marks, contains a URL, as `Defaults` stores URLs.
  /// - Any other nonempty string is the path of a file. A leading `~` or `~user` is the user's home
  ///   folder in the system's database, and a relative path is resolved against the working
  ///   directory. Only a path with a trailing slash is a directory's; the file system is not
  ///   consulted.
  /// - Data is the keyed archive of a URL.
  package static func url(from value: PlistValue) -> URL? {
    switch value {
    case .string(let string):
      if string.isEmpty { return nil }
      if let json = string.unquoted { return URL(string: json) }
      if string.hasScheme, let url = URL(string: string, encodingInvalidCharacters: false) {
        return url
      }
      return URL(filePath: string, directoryHint: .inferFromPath)
    case .data(let data):
      return url(fromArchive: data)
    default:
      return nil
    }
  }

  /// Returns the value that ``url(from:)`` reads as the URL.
  ///
  /// A relative URL keeps its base, but a relative file URL reads back as an absolute one. Like
  /// Foundation on Linux, this does not abbreviate the home folder to `~`.
  package static func value(for url: URL) -> PlistValue {
    if url.isFileURL {
      let path = PlistValue.string(url.absoluteURL.path(percentEncoded: false))
      if self.url(from: path)?.absoluteString == url.absoluteString { return path }
    }
    return archive(of: url)
  }

  /// The largest number of nested base URLs that is read.
  private static let baseLimit = 8

  private static func url(fromArchive data: Data) -> URL? {
    guard let archive = KeyedArchive(data) else { return nil }
    // The texts from the outermost URL to the last base; each is resolved against the next.
    var texts: [String] = []
    var next = archive.object(archive.top["root"])
    while case .dictionary(let members)? = next, texts.count <= baseLimit {
      guard case .dictionary(let type)? = archive.object(members["$class"]),
        type["$classname"] == "NSURL",
        case .string(let text)? = archive.object(members["NS.relative"])
      else { return nil }
      texts.append(text)
      next = members["NS.base"] == nil ? "$null" : archive.object(members["NS.base"])
    }
    guard next == "$null" else { return nil }
    var url: URL?
    for text in texts.reversed() {
      // Foundation creates a URL from an empty text only through components.
      url = text.isEmpty ? URLComponents().url(relativeTo: url) : URL(string: text, relativeTo: url)
      if url == nil { return nil }
    }
    return url
  }

  private static func archive(of url: URL) -> PlistValue {
    var objects: [PlistValue] = [
      "$null", ["$classes": ["NSURL", "NSObject"], "$classname": "NSURL"],
    ]
    func append(_ text: String, base: UInt32) -> UInt32 {
      objects.append(.string(text))
      objects.append([
        "$class": .uid(1), "NS.base": .uid(base), "NS.relative": .uid(UInt32(objects.count - 1)),
      ])
      return UInt32(objects.count - 1)
    }
    let base = url.baseURL.map { append($0.absoluteString, base: 0) } ?? 0
    let root = append(url.relativeString, base: base)
    guard let data = try? KeyedArchive(objects: objects, root: root).data() else {
      return .string(url.absoluteString)
    }
    return .data(data)
  }
}

extension String {
  /// The contents, if the text is a JSON string.
  fileprivate var unquoted: String? {
    guard utf8.first == UInt8(ascii: "\""), utf8.last == UInt8(ascii: "\"") else { return nil }
    return try? JSONDecoder().decode(String.self, from: Data(utf8))
  }

  /// Whether the text begins with a URL scheme and has something after it.
  fileprivate var hasScheme: Bool {
    guard let colon = utf8.firstIndex(where: { !$0.isAllowedInScheme }),
      utf8[colon] == UInt8(ascii: ":"), utf8.first?.isLetter == true
    else { return false }
    return utf8.index(after: colon) != utf8.endIndex
  }
}

extension UInt8 {
  fileprivate var isLetter: Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= self | 0x20 }

  fileprivate var isAllowedInScheme: Bool {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"),
      UInt8(ascii: "."):
      true
    default: isLetter
    }
  }
}
