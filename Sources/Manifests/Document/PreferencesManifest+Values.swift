package import PropertyList

extension PreferencesManifest {
  /// The description of the whole domain as a dictionary.
  package var root: Key {
    var root = Key(nil, type: .dictionary)
    (root.title, root.description, root.subkeys) = (title, description, keys)
    return root
  }

  /// Whether the value at a key path, or a value around it, is secret.
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
  /// The value, with strings converted to the types that their descriptions name. A string that
  /// cannot be converted stays unchanged.
  package func typed(_ value: PlistValue) -> PlistValue {
    switch value {
    case .string(let text):
      return type?.kind.flatMap { PlistValue(text, as: $0) } ?? value
    case .array(let elements):
      guard subkeys.count == 1, let element = subkeys.first else { return value }
      return .array(elements.map(element.typed))
    case .dictionary(var values):
      for (name, value) in values {
        if let key = Self.member(name, of: subkeys) { values[name] = key.typed(value) }
      }
      return .dictionary(values)
    default: return value
    }
  }

  /// Whether a value differs from the default. Numbers are compared by value. Without a default,
  /// every value differs.
  package func differsFromDefault(_ value: PlistValue) -> Bool {
    defaultValue.map { ValueOrder.normalized($0) != ValueOrder.normalized(value) } ?? true
  }

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
      // Several descriptions of elements are alternatives, and any may apply.
      .array(elements.map { subkeys.reduce($0) { $1.hidingSecrets(in: $0) } })
    default: value
    }
  }
}

extension PlistValue {
  /// Reads a text as a kind of value; nil if it is malformed, or if no text represents that kind.
  ///
  /// The texts are strings in property lists and arguments of tools, with values spelled as in
  /// property lists. `Coercion` in `Preferences`, which this module does not import, reads decimal
  /// numbers and Base64.
  init?(_ text: String, as kind: Kind) {
    let value: PlistValue? =
      switch kind {
      case .integer: try? PlistValue(integerText: text)
      case .real: try? PlistValue(realText: text)
      case .boolean: try? PlistValue(booleanText: text)
      case .date: try? PlistValue(dateText: text)
      case .data: PlistValue(hexadecimalText: text)
      default: nil
      }
    guard let value else { return nil }
    self = value
  }
}
