public import FoundationEssentials

/// Encodes values as property list documents, or as ``PlistValue``.
///
/// ```swift
/// struct Server: Codable {
///   var host: String
///   var lastSeen: Date?
/// }
/// var encoder = PlistEncoder()
/// encoder.outputFormat = .xml
/// let data = try encoder.encode(Server(host: "example.org"))
/// ```
///
/// `Date`, `Data`, ``PlistValue`` and ``PlistDictionary`` are stored unchanged. Nil is omitted from
/// a dictionary, and is an error in an array or as the root. For details see <doc:CodableValues>.
public struct PlistEncoder: Sendable {
  /// The format of documents. The default is binary, as with Foundation's encoder.
  public var outputFormat: PlistFormat

  /// Options for writing documents. The depth limit also applies to encoded values.
  public var options: PlistWriteOptions

  /// Contextual information for values, available in the `userInfo` of their encoder.
  public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

  /// Creates an encoder.
  public init(
    outputFormat: PlistFormat = .binary, options: PlistWriteOptions = PlistWriteOptions()
  ) {
    (self.outputFormat, self.options) = (outputFormat, options)
  }

  /// Encodes a value as a document.
  ///
  /// - Throws: `EncodingError` with the coding path of a value that property lists, or the format,
  ///   cannot hold. If writing the document fails, the underlying error is a ``PlistError``.
  public func encode(_ value: some Encodable) throws -> Data {
    let root = try encodeToValue(value)
    do {
      return try Plist.write(root, as: outputFormat, options: options)
    } catch {
      throw EncodingError.invalidValue(
        value,
        EncodingError.Context(
          codingPath: root.codingPath(error.keyPath), debugDescription: "\(error)",
          underlyingError: error))
    }
  }

  /// Encodes a value as a property list value. Keys keep the order of encoding.
  ///
  /// - Throws: `EncodingError` with the coding path of a value that property lists cannot hold.
  public func encodeToValue(_ value: some Encodable) throws -> PlistValue {
    let session = EncodingSession(userInfo: userInfo, limits: options.limits)
    let encoder = ValueEncoder(session: session)
    let root = try encoder.encodeValue(value, at: .root, depth: 0)
    try session.checkDepth(of: value)
    guard let root else {
      throw EncodingError.invalid(value, at: .root, "The root of a property list cannot be nil.")
    }
    return root
  }
}

extension PlistValue {
  /// Returns a key path as a coding path that distinguishes array indices from keys.
  fileprivate func codingPath(_ path: PlistKeyPath) -> [any CodingKey] {
    var value: PlistValue? = self
    return path.components.map { component in
      switch value {
      case .array(let elements)?, .set(let elements)?:
        guard let index = Int(component), elements.indices.contains(index) else { break }
        value = elements[index]
        return PlistCodingKey(index: index)
      case .dictionary(let dictionary)?: value = dictionary[component]
      default: value = nil
      }
      return PlistCodingKey(stringValue: component)
    }
  }
}
