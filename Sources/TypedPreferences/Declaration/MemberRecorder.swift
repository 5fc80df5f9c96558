internal import Manifests
internal import PropertyList

/// A decoder that records the members that a Codable type reads from a value that it has encoded.
final class MemberRecorder: Decoder {
  let codingPath: [any CodingKey] = []
  let userInfo: [CodingUserInfoKey: Any] = [:]
  private let values: PlistDictionary
  private let source: any Decoder
  private let depth: Int
  private var members: [PreferencesManifest.Key] = []

  private init(_ values: PlistDictionary, _ source: any Decoder, depth: Int) {
    (self.values, self.source, self.depth) = (values, source, depth)
  }

  /// The members of a value that is encoded as a dictionary, in the order they are read; empty for
  /// any other value.
  static func members(of value: Any, depth: Int) -> [PreferencesManifest.Key] {
    guard let value = value as? any Codable, let encoded = stored(value),
      case .dictionary(let values) = encoded,
      let source = try? PlistDecoder().decode(Source.self, from: encoded)
    else { return [] }
    let recorder = MemberRecorder(values, source.decoder, depth: depth)
    _ = try? type(of: value).init(from: recorder)
    for (name, value) in values { recorder.add(name, Any.self, like: value) }
    return recorder.members
  }

  private static func stored(_ value: Any) -> PlistValue? {
    (value as? any Encodable).flatMap { try? PlistEncoder().encodeToValue($0) }
  }

  /// Adds a member unless it is already known.
  fileprivate func add(_ name: String, _ type: Any.Type, like sample: Any?) {
    if members.contains(where: { $0.name == name }) { return }
    var key = TypeDescription(of: type, like: sample, stored: Self.stored, depth: depth).key
    key.name = name
    members.append(key)
  }

  /// Captures the library's decoder, which decodes the recorded values.
  private struct Source: Decodable {
    let decoder: any Decoder

    init(from decoder: any Decoder) { self.decoder = decoder }
  }

  func container<Key: CodingKey>(
    keyedBy type: Key.Type
  ) throws -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(
      Container(recorder: self, source: try source.container(keyedBy: type)))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try source.unkeyedContainer()
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    try source.singleValueContainer()
  }

  private struct Container<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let recorder: MemberRecorder
    let source: KeyedDecodingContainer<Key>

    var codingPath: [any CodingKey] { source.codingPath }
    var allKeys: [Key] { source.allKeys }

    // A missing optional member is also decoded, so that its type is known.
    func contains(_ key: Key) -> Bool { true }

    func decodeNil(forKey key: Key) throws -> Bool {
      source.contains(key) ? try source.decodeNil(forKey: key) : false
    }

    func decode<Member: Decodable>(_ type: Member.Type, forKey key: Key) throws -> Member {
      if source.contains(key) {
        let member = try source.decode(type, forKey: key)
        recorder.add(key.stringValue, type, like: member)
        return member
      }
      recorder.add(key.stringValue, type, like: nil)
      for any: PlistValue in [.boolean(false), 0, ""] {
        if let member = try? PlistDecoder().decode(type, from: any) { return member }
      }
      return try source.decode(type, forKey: key)
    }

    func decodeIfPresent<Member: Decodable>(
      _ type: Member.Type, forKey key: Key
    ) throws -> Member? {
      let member = try source.decodeIfPresent(type, forKey: key)
      recorder.add(key.stringValue, type, like: member)
      return member
    }

    func nestedContainer<Nested: CodingKey>(
      keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
      try source.nestedContainer(keyedBy: type, forKey: key)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
      try source.nestedUnkeyedContainer(forKey: key)
    }

    func superDecoder() throws -> any Decoder { try source.superDecoder() }

    func superDecoder(forKey key: Key) throws -> any Decoder {
      try source.superDecoder(forKey: key)
    }
  }
}
