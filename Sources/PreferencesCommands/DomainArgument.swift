internal import CommandLineInterface
internal import Preferences

/// A domain on the command line.
struct DomainArgument {
  /// The name in messages.
  let name: String
  /// The path of its file, if it is given as a path.
  let path: String?

  /// The words that denote a domain other than by its name or path.
  static let options = ["-g", "-globalDomain", "-app"]

  init(name: String) {
    self.name = name
    path = nil
  }

  /// The domain with a name or path. A path contains a slash; the extension `.plist` is optional.
  ///
  /// - Throws: A usage error for the path of a folder.
  private init(nameOrPath word: String) throws(UsageError) {
    guard word.utf8.last != UInt8(ascii: "/") else {
      throw UsageError("\(word) is the path of a folder; expected a name or the path of a file")
    }
    name = word == DefaultsTool.globalTitle ? PreferencesStore.globalDomain : word
    if word.utf8.contains(UInt8(ascii: "/")) {
      path = word.utf8.reversed().starts(with: ".plist".utf8.reversed()) ? word : word + ".plist"
    } else {
      path = nil
    }
  }

  /// Takes a domain from the front of words; nil if there are none.
  ///
  /// A domain is `-g` or `-globalDomain` for the global domain; `-app` and an application, whose
  /// domain has the same name; or a name or path, after `--` if it begins with a dash.
  static func take(from words: inout ArraySlice<String>) throws(UsageError) -> DomainArgument? {
    guard let word = words.popFirst() else { return nil }
    switch word {
    case "-g", "-globalDomain":
      return DomainArgument(name: PreferencesStore.globalDomain)
    case "-app":
      guard let program = words.popFirst() else { throw UsageError("-app needs an application") }
      let name = program.utf8.split(separator: UInt8(ascii: "/")).last.flatMap { String($0) }
      return DomainArgument(name: name ?? "")
    case "--":
      guard let next = words.popFirst() else { throw UsageError("-- needs a domain") }
      return try DomainArgument(nameOrPath: next)
    default:
      guard !DefaultsTool.table.options.contains(where: { $0.name == word }) else {
        throw UsageError("\(word) must come before the command")
      }
      guard !word.hasPrefix("-") else {
        throw UsageError(
          "unrecognized domain: \(word); expected a name, a path, -g or -app; "
            + "before a name that begins with a dash, put --")
      }
      return try DomainArgument(nameOrPath: word)
    }
  }
}
