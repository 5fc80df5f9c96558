/// The name of a literal, derived from the file name of its property list.
struct LiteralName: CustomStringConvertible {
  let description: String

  /// The name for a path, as a valid identifier.
  ///
  /// All characters but ASCII letters and digits become underscores, and a name that does not begin
  /// with a letter gets the prefix `plist_`. In Objective-C, where it names a function, the name
  /// ends in `PropertyList` to avoid keywords, types and functions of C. In Swift a reserved name
  /// ends in an underscore.
  init(of path: String, in language: LiteralLanguage) {
    var name = ""
    for scalar in Self.stem(of: path).unicodeScalars {
      let isLetterOrDigit =
        scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
      name.unicodeScalars.append(isLetterOrDigit ? scalar : "_")
    }
    if name.unicodeScalars.first?.properties.isAlphabetic != true { name = "plist_" + name }
    switch language {
    case .objectiveC: name += "PropertyList"
    case .swift: if Self.reservedInSwift.contains(name[...]) { name += "_" }
    }
    description = name
  }

  /// The last component of a path without its extension; `input` for standard input.
  private static func stem(of path: String) -> String {
    guard path != "-" else { return "input" }
    let name = path.utf8.split(separator: UInt8(ascii: "/")).last ?? path.utf8[...]
    let dot = name.dropFirst().lastIndex(of: UInt8(ascii: "."))
    return String(decoding: dot.map { name[..<$0] } ?? name, as: UTF8.self)
  }

  /// Keywords that cannot name a constant, and the names that generated source uses itself.
  private static let reservedInSwift: Set<Substring> = Set(
    """
    Any Self as associatedtype break case catch class continue default defer deinit do else enum \
    extension fallthrough false fileprivate for func guard if import in init inout internal is let nil \
    operator precedencegroup private protocol public repeat rethrows return self static struct subscript \
    super switch throw throws true try typealias var where while Bool Data Date Double Foundation Int \
    String Swift UInt64 values
    """.split(separator: " "))
}
