package import PropertyList

extension PreferencesManifest {
  /// Whether the value at a key path is secret, or is in a value that is.
  package func isSecret(_ path: PlistKeyPath) -> Bool {
    path.components.indices.contains { end in
      key(at: PlistKeyPath(components: Array(path.components[...end])))?.isSensitive ?? false
    }
  }

  /// The preferences of the domain with the text `secret` instead of each secret value.
  package func hidingSecrets(in values: PlistDictionary) -> PlistDictionary {
    Key.hidingSecrets(in: values, keys)
  }
}

extension PreferencesManifest.Key {
  fileprivate static func hidingSecrets(
    in values: PlistDictionary, _ keys: [PreferencesManifest.Key]
  ) -> PlistDictionary {
    var values = values
    for key in keys where key.holdsSecret {
      if key.name == anyValueName {
        let described = Set(keys.compactMap(\.name).map(ByteKey.init))
        for (name, value) in values where !described.contains(ByteKey(name)) {
          values[name] = key.hidingSecrets(in: value)
        }
      } else if let name = key.name, let value = values[name] {
        values[name] = key.hidingSecrets(in: value)
      }
    }
    return values
  }

  /// The value of the key with the text `secret` instead of each secret value.
  package func hidingSecrets(in value: PlistValue) -> PlistValue {
    guard !isSensitive else { return "secret" }
    return switch value {
    case .dictionary(let values): .dictionary(Self.hidingSecrets(in: values, subkeys))
    case .array(let elements):
      // Several descriptions of elements are alternatives, any of which may be meant.
      .array(elements.map { subkeys.reduce($0) { $1.hidingSecrets(in: $0) } })
    default: value
    }
  }
}
