internal import FileStorage

/// The name of a literal, derived from the file name of its property list.
struct LiteralName: CustomStringConvertible {
  let description: String

  /// The name for a path, as a valid identifier. All characters except ASCII letters and digits
  /// become underscores, and a name that does not begin with a letter gets the prefix `plist_`. A
  /// reserved name ends in an underscore.
  init(of path: String, in language: LiteralLanguage) {
    var name = ""
    for scalar in Self.stem(of: path).unicodeScalars {
      let isLetterOrDigit =
        scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
      name.unicodeScalars.append(isLetterOrDigit ? scalar : "_")
    }
    if name.unicodeScalars.first?.properties.isAlphabetic != true { name = "plist_" + name }
    let reserved = language == .swift ? Self.reservedInSwift : Self.reservedInObjectiveC
    if reserved.contains(name[...]) { name += "_" }
    description = name
  }

  /// The last component of a path without its extension; `input` for standard input.
  private static func stem(of path: String) -> String {
    guard path != "-" else { return "input" }
    return FilePath.split(FilePath.splitExtension(of: path).stem).name
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

  /// Keywords of C, C++ and Objective-C, and names in their standard libraries that are also common
  /// file names.
  private static let reservedInObjectiveC: Set<Substring> = Set(
    """
    BOOL Class IMP NO NULL Nil Protocol SEL YES abs accept access acos alarm alignas alignof and asin \
    asm atan auto bind bitand bitor bool break bycopy byref calloc case catch char class clock close \
    compl concept connect const continue cos decltype default delete div do double else enum environ \
    errno exec exit exp explicit export extern false floor float for free friend gamma goto id if in \
    index inline inout instancetype int isa j0 j1 jn kill labs link listen log long main malloc mutable \
    namespace new nice nil noexcept not nullptr oneway open operator or out pause pipe pow printf private \
    protected public random read realloc register remove rename requires restrict return rindex round \
    select self send shutdown short signal signed sin sizeof sleep sqrt stat static stderr stdin stdout \
    strong struct super swab switch sync system tan template this throw time times true truncate try \
    typedef typeid typename typeof union unlink unsigned using virtual void volatile wait weak while \
    write xor y0 y1 yn
    """.split(separator: " "))
}
