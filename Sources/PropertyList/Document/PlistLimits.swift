internal import FoundationEssentials

/// Limits on the resources that a document takes; exceeding one is an error.
///
/// The limits apply to reading and writing alike, so that written documents can be read again.
public struct PlistLimits: Sendable, Hashable {
  /// The maximum nesting of containers, the outermost counting as one; 512 by default.
  ///
  /// Readers and writers do not recurse, but Swift hashes and releases nested values level by level
  /// on the stack: 512 levels take up to 200 KiB of it, and up to 1 MiB in a debug build. XML is read to 2,046 levels at most, whatever the limit.
  public var maximumDepth = 512

  /// The maximum number of values in a document, including containers, with shared values counted
  /// each time they occur; 50 million by default.
  ///
  /// In a binary property list a few bytes can describe billions of values by referring to the same
  /// object repeatedly. Strings, keys and data add one more for every 64 bytes.
  public var maximumNodeCount = 50_000_000

  /// The maximum size of a document in bytes; 2 GiB by default.
  public var maximumSize = 2 << 30

  /// How many times larger than in binary a value may be in a text format, if the text exceeds 16
  /// MiB; 32 by default. It must be positive.
  ///
  /// Text repeats what a value shares, and indents it: a few hundred bytes of a binary property
  /// list can describe gigabytes of text. In binary, shared parts are written once.
  public var maximumExpansion = 32

  /// The maximum length in bytes of a start tag with its attributes, a comment or a CDATA section
  /// in XML; 64 KiB by default. Text and data may be of any length.
  public var maximumMarkupLength = 64 << 10

  /// The maximum number of attributes of an XML element: libxml2 takes time quadratic in it.
  static let maximumAttributeCount = 256

  /// The maximum number of warnings; more are dropped.
  static let maximumWarningCount = 1000

  /// The default limits.
  public init() {}

  package func check(_ value: PlistValue, at depth: Int) throws(PlistError.Kind) {
    var nodes = NodeCount(limits: self)
    var walk = PlistTreeWalk(value, keyOrder: .document)
    while let event = walk.next() {
      switch event {
      case .open: try checkDepth(depth + walk.depth + 1)
      case .leaf: try checkDepth(depth)
      case .close: continue
      }
      try nodes.add(1)
    }
  }

  @inline(__always)
  package func checkDepth(_ depth: Int) throws(PlistError.Kind) {
    if depth > maximumDepth { throw .tooDeep(limit: maximumDepth) }
  }

  @inline(__always)
  func checkDepth(
    _ depth: Int, at location: @autoclosure () throws(PlistError) -> PlistError.Location
  ) throws(PlistError) {
    do throws(PlistError.Kind) { try checkDepth(depth) } catch {
      throw PlistError(error, at: try location())
    }
  }
}

/// The count that ``PlistLimits/maximumNodeCount`` limits. Each value counts as one, and strings,
/// keys and data as one more for every 64 bytes, so that a long shared string is counted by its
/// size in the output.
struct NodeCount {
  private let limit: Int
  private(set) var count = 0

  init(limits: PlistLimits) { limit = limits.maximumNodeCount }

  /// Counts a value without its contents.
  @inline(__always)
  mutating func add(_ value: PlistValue) throws(PlistError.Kind) { try add(Self.count(of: value)) }

  @inline(__always)
  mutating func add(key: String) throws(PlistError.Kind) { try add(Self.count(ofKey: key)) }

  @inline(__always)
  mutating func add(_ more: Int) throws(PlistError.Kind) {
    count += more
    if count > limit { throw .tooManyNodes(limit: limit) }
  }

  /// The count of a value without its contents.
  @inline(__always)
  static func count(of value: PlistValue) -> Int {
    switch value {
    case .string(let string): 1 + string.utf8.count / 64
    case .data(let data): 1 + data.count / 64
    default: 1
    }
  }

  @inline(__always)
  static func count(ofKey key: String) -> Int { count(ofKeyBytes: key.utf8.count) }

  @inline(__always)
  static func count(ofKeyBytes count: Int) -> Int { count / 64 }
}
