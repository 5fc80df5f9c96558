package import PropertyList

extension PreferencesManifest {
  /// The description of the whole domain as that of a dictionary.
  package var root: Key {
    var root = Key(nil, type: .dictionary)
    (root.title, root.description, root.subkeys) = (title, description, keys)
    return root
  }
}

extension PreferencesManifest.Key {
  /// The value with each string converted that is described as another type. A string that cannot be
  /// converted stays.
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
}

extension PreferencesManifest.Key {
  /// Whether a value is another one than the default. Numbers are compared by value; without a default every
  /// value is another one.
  package func differsFromDefault(_ value: PlistValue) -> Bool {
    defaultValue.map { ValueOrder.normalized($0) != ValueOrder.normalized(value) } ?? true
  }
}

extension PlistValue {
  /// The value that a text stands for; nil if it is malformed or there are no texts of the kind.
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
