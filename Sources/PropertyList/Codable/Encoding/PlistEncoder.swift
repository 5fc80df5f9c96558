public import FoundationEssentials

/// Encodes values as property lists: as documents or as ``PlistValue``.
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
/// A `Date`, `Data`, ``PlistValue`` or ``PlistDictionary`` is stored as what it is. Nil leaves no
/// entry in a dictionary and is refused in an array and as the root. <doc:CodableValues> has the
/// particulars.
public struct PlistEncoder: Sendable {
  /// The format of the documents. Binary unless changed, as with Foundation's encoder.
  public var outputFormat: PlistFormat

  /// How the documents are written; its limit of depth holds for values as well.
  public var options: PlistWriteOptions

  /// What the values that are encoded find in their encoder's `userInfo`.
  public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

  /// An encoder to a format.
  public init(
    outputFormat: PlistFormat = .binary, options: PlistWriteOptions = PlistWriteOptions()
  ) {
    self.outputFormat = outputFormat
    self.options = options
  }

  /// Encodes a value as a document.
  ///
  /// - Throws: `EncodingError` with the coding path of what a property list, or the format, cannot
  ///   hold. Its underlying error is a ``PlistError`` where writing has failed.
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

  /// Encodes a value as a value of a property list, in which keys stand in the order of encoding.
  ///
  /// - Throws: `EncodingError` with the coding path of what a property list cannot hold.
  public func encodeToValue(_ value: some Encodable) throws -> PlistValue {
    let session = EncodingSession(userInfo: userInfo, limits: options.limits)
    let encoder = ValueEncoder(session: session)
    let root = try encoder.encoded(value, at: .root, depth: 0)
    try session.check(value)
    guard let root else {
      throw EncodingError.invalid(value, at: .root, "The root of a property list cannot be nil.")
    }
    return root
  }
}

extension PlistValue {
  /// The keys and indices of a path, told apart by what they meet.
  fileprivate func codingPath(_ path: PlistKeyPath) -> [any CodingKey] {
    var value: PlistValue? = self
    return path.components.map { component in
      switch value {
      case .array(let elements)?, .set(let elements)?:
        guard let index = Int(component), elements.indices.contains(index) else { break }
        value = elements[index]
        return PlistCodingKey(index: index)
      case .dictionary(let dictionary)?:
        value = dictionary[component]
      default:
        value = nil
      }
      return PlistCodingKey(stringValue: component)
    }
  }
}
