public import FoundationEssentials

/// Decodes values from property lists: from documents of every format or from ``PlistValue``.
///
/// ```swift
/// struct Server: Codable {
///   var host: String
///   var lastSeen: Date?
/// }
/// let server = try PlistDecoder().decode(Server.self, from: data)
/// ```
///
/// A binary document is checked as a whole and then decoded where it stands, without a tree of values.
/// Numbers keep their value or are refused, but for reals that are rounded to `Float`.
/// <doc:CodableValues> has the particulars.
public struct PlistDecoder: Sendable {
  /// How the documents are read; its limit of depth holds for values as well.
  public var options: PlistReadOptions

  /// Whether the string `$null` stands for nil, as in what Foundation's encoder writes. Not unless
  /// changed, since it may be a string like any other.
  public var readsNullText = false

  /// What the types that are decoded find in their decoder's `userInfo`.
  public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

  /// A decoder with options.
  public init(options: PlistReadOptions = PlistReadOptions()) {
    self.options = options
  }

  /// Decodes a value from a document, whose format is detected.
  ///
  /// - Throws: `DecodingError` with the coding path of what does not fit the type. Where the document
  ///   itself cannot be read, its underlying error is a ``PlistError``.
  public func decode<T: Decodable>(_ type: T.Type, from data: Data) throws -> T {
    var format = PlistFormat.binary
    return try decode(type, from: data, format: &format)
  }

  /// Decodes a value from a document and says in which format it was, once it has been read.
  ///
  /// - Throws: `DecodingError`, as where the format is not asked for.
  public func decode<T: Decodable>(
    _ type: T.Type, from data: Data, format: inout PlistFormat
  ) throws -> T {
    let root: DecodedNode
    let found: PlistFormat
    do {
      try Plist.checkSize(data.count, options.limits)
      found = PlistFormat(detecting: data)
      root =
        found == .binary
        ? try BinaryDocument(data, limits: options.limits).root
        : .value(try Plist.read(data, as: found, options: options).value)
    } catch {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: [], debugDescription: "\(error)", underlyingError: error))
    }
    format = found
    return try decode(type, from: root)
  }

  /// Decodes a value from a value of a property list.
  ///
  /// - Throws: `DecodingError` with the coding path of what does not fit the type.
  public func decode<T: Decodable>(_ type: T.Type, from value: PlistValue) throws -> T {
    try decode(type, from: .value(value))
  }

  private func decode<T: Decodable>(_ type: T.Type, from root: DecodedNode) throws -> T {
    let session = DecodingSession(
      userInfo: userInfo, limits: options.limits, readsNullText: readsNullText)
    return try ValueDecoder(session: session, found: root, path: .root, depth: 0)
      .decode(as: type)
  }
}
