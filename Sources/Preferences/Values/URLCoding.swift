package import FoundationEssentials
package import PropertyList

/// The stored form of URLs.
///
/// Foundation's form: a file URL is stored as its path, and any other URL as data, a keyed archive.
/// So is a file URL that is more than a path.
package enum URLCoding {
  // MARK: Reading

  /// Returns the URL that a value represents; nil if it represents none.
  ///
  /// - A string that is a valid absolute URL as it stands, with something after its scheme, is that
  ///   URL, which Foundation takes for a path; `Report: final` is not.
  /// - A JSON string, with its quotation marks, is the URL that it holds, as `Defaults` stores URLs.
  /// - Any other string except the empty one is the path of a file. A leading `~` or `~user` is the
  ///   home folder of the user in the system's database, and a relative path is resolved against
  ///   the working directory of the process. Only a path with a trailing slash is a directory's:
  ///   the file system is not consulted.
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

  // MARK: Writing

  /// Returns the value that ``url(from:)`` reads as the URL.
  ///
  /// A relative URL keeps its base, except that a relative file URL reads back as an absolute one.
  /// The home folder is not abbreviated to `~`, nor is it by Foundation on Linux.
  package static func value(for url: URL) -> PlistValue {
    if url.isFileURL {
      let path = PlistValue.string(url.absoluteURL.path(percentEncoded: false))
      if self.url(from: path)?.absoluteString == url.absoluteString { return path }
    }
    return archive(of: url)
  }

  // MARK: Keyed archives

  /// The most bases that the URL of an archive may have, each the base of the one before.
  private static let baseLimit = 8

  private static func url(fromArchive data: Data) -> URL? {
    guard let archive = KeyedArchive(data) else { return nil }
    // The texts from the root to the last base, each to be resolved against the next one.
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
      // Foundation creates a URL of an empty text from components only.
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
  /// The contents of a JSON string; nil if the text is none.
  fileprivate var unquoted: String? {
    guard utf8.first == UInt8(ascii: "\""), utf8.last == UInt8(ascii: "\"") else { return nil }
    return try? JSONDecoder().decode(String.self, from: Data(utf8))
  }

  /// Whether the text begins with the scheme of a URL, and something follows it.
  fileprivate var hasScheme: Bool {
    guard let colon = utf8.firstIndex(where: { !$0.isAllowedInScheme }),
      utf8[colon] == UInt8(ascii: ":"), utf8.first?.isLetter == true
    else { return false }
    return utf8.index(after: colon) != utf8.endIndex
  }
}

extension UInt8 {
  fileprivate var isLetter: Bool {
    UInt8(ascii: "a")...UInt8(ascii: "z") ~= self | 0x20
  }

  fileprivate var isAllowedInScheme: Bool {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"),
      UInt8(ascii: "."):
      true
    default: isLetter
    }
  }
}
