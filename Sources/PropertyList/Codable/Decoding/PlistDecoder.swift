public import FoundationEssentials

/// Decodes values from property list documents of any format, or from ``PlistValue``.
///
/// ```swift
/// struct Server: Codable {
///   var host: String
///   var lastSeen: Date?
/// }
/// let server = try PlistDecoder().decode(Server.self, from: data)
/// ```
///
/// Numbers keep their exact value or are rejected, except that reals are rounded to `Float`.
/// For details see <doc:CodableValues>.
public struct PlistDecoder: Sendable {
  /// Options for reading documents. The depth limit also applies to decoded values.
  public var options: PlistReadOptions

  /// Whether the string `$null` is decoded as nil, which Foundation's encoder writes for it. False
  /// by default, because it may be an ordinary string.
  public var readsNullText = false

  /// Contextual information for types, available in the `userInfo` of their decoder.
  public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

  /// Creates a decoder.
  public init(options: PlistReadOptions = PlistReadOptions()) { self.options = options }

  /// Decodes a value from a document, whose format is detected.
  ///
  /// - Throws: `DecodingError` with the coding path of a value that does not match its type. If the
  ///   document itself cannot be read, the underlying error is a ``PlistError``.
  public func decode<T: Decodable>(_ type: T.Type, from data: Data) throws -> T {
    var format = PlistFormat.binary
    return try decode(type, from: data, format: &format)
  }

  /// Decodes a value from a document, whose format is detected.
  ///
  /// - Parameters:
  ///   - type: The type to decode.
  ///   - data: The document.
  ///   - format: Set to the detected format once the document has been read, even if decoding
  ///     fails.
  /// - Throws: `DecodingError` with the coding path of a value that does not match its type. If the
  ///   document itself cannot be read, the underlying error is a ``PlistError``.
  public func decode<T: Decodable>(
    _ type: T.Type, from data: Data, format: inout PlistFormat
  ) throws -> T {
    let document: PlistDocument
    do {
      document = try Plist.read(data, options: options)
    } catch {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(codingPath: [], debugDescription: "\(error)", underlyingError: error))
    }
    format = document.format
    return try decode(
      type, from: document.value, size: document.format == .binary ? data.count : nil)
  }

  /// Decodes a value from a property list value.
  ///
  /// - Throws: `DecodingError` with the coding path of a value that does not match its type.
  public func decode<T: Decodable>(_ type: T.Type, from value: PlistValue) throws -> T {
    try decode(type, from: value, size: nil)
  }

  /// - Parameter size: The number of bytes of a binary document.
  private func decode<T: Decodable>(
    _ type: T.Type, from root: PlistValue, size: Int?
  ) throws -> T {
    let session = DecodingSession(
      of: root, size: size, userInfo: userInfo, limits: options.limits,
      readsNullText: readsNullText)
    return try ValueDecoder(session: session, value: root, path: .root, depth: 0).decode(as: type)
  }
}
