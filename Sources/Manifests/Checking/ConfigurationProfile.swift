public import PropertyList

/// Configuration profiles, property lists that contain the preferences of several domains.
public enum ConfigurationProfile {
  /// A part of a profile.
  public struct Payload: Sendable, Hashable {
    /// The domain of the payload, from its `PayloadType`.
    public var type: String
    /// The place of the payload in the profile.
    public var keyPath: PlistKeyPath
    /// The keys of the domain, and the keys of the envelope, such as `PayloadUUID`.
    public var contents: PlistDictionary
  }

  /// The payloads of a profile that have a type; nil for a property list that is not a profile.
  public static func payloads(in value: PlistValue) -> [Payload]? {
    guard case .dictionary(let root) = value, case .array(let elements)? = root["PayloadContent"],
      case .string("Configuration")? = root["PayloadType"]
    else { return nil }
    return elements.enumerated().compactMap { index, element in
      guard case .dictionary(let contents) = element,
        case .string(let type)? = contents["PayloadType"]
      else { return nil }
      return Payload(
        type: type, keyPath: PlistKeyPath(components: ["PayloadContent", String(index)]),
        contents: contents)
    }
  }

  /// The keys that manage payloads, which do not belong to the domain.
  static let envelopeKeys: Set<String> = [
    "PayloadType", "PayloadVersion", "PayloadIdentifier", "PayloadUUID", "PayloadDisplayName",
    "PayloadDescription", "PayloadOrganization", "PayloadEnabled", "PayloadScope",
    "PayloadExpirationDate", "PayloadRemovalDisallowed", "PayloadRemovalPassword",
    "PayloadRemovalDate",
  ]
}
