/// A change of a value, as small as the value allows.
indirect enum ValueChange {
  case replacement(PlistValue)
  /// Changes of the values in a dictionary or an array, which itself stays.
  case contents(ContentChange)
}

/// Changes of the values in a container. Positions are those before all changes.
struct ContentChange {
  struct Insertion {
    var key: String?
    /// The position before which the value is inserted; nil for a key, whose place depends on the
    /// text.
    var position: Int?
    var value: PlistValue
  }

  var changes: [Int: ValueChange] = [:]
  var removals: Set<Int> = []
  var insertions: [Insertion] = []

  var isEmpty: Bool { changes.isEmpty && removals.isEmpty && insertions.isEmpty }
}

extension ValueChange {
  enum Edit {
    case insertion(PlistValue)
    case replacement(PlistValue)
    case removal
  }

  /// The change that an edit at the end of a path makes; nil if it changes nothing. The value must
  /// allow the edit.
  init?(_ edit: Edit, at path: PlistKeyPath, of root: PlistValue) {
    var values: [PlistValue] = [root]
    for component in path.components.dropLast() {
      guard let value = values.last?.child(component)?.value else { return nil }
      values.append(value)
    }
    var change: ValueChange?
    for (component, value) in zip(path.components, values).reversed() {
      guard let outer = Self.change(change, edit, at: component, of: value) else { return nil }
      change = outer
    }
    if path.isRoot, case .replacement(let value) = edit { change = Self(from: root, to: value) }
    guard let change else { return nil }
    self = change
  }

  /// The change of a container in which a value changes; at the end of the path, the edit itself.
  private static func change(
    _ inner: ValueChange?, _ edit: Edit, at component: String, of container: PlistValue
  ) -> ValueChange? {
    var contents = ContentChange()
    let key: String?
    let position: Int?
    switch container {
    case .dictionary(let dictionary):
      (key, position) = (component, dictionary.shape.position(of: component))
    case .array: (key, position) = (nil, PlistValue.index(component))
    default: return nil
    }
    switch (inner, edit, position) {
    case (let inner?, _, let position?): contents.changes[position] = inner
    case (nil, .removal, let position?): contents.removals.insert(position)
    case (nil, .replacement(let value), let position?):
      guard let old = container.child(component)?.value,
        let change = ValueChange(from: old, to: value)
      else { return nil }
      contents.changes[position] = change
    case (nil, .insertion(let value), _), (nil, .replacement(let value), nil):
      contents.insertions = [.init(key: key, position: key == nil ? position : nil, value: value)]
    default: return nil
    }
    return .contents(contents)
  }
}

extension ValueChange {
  /// The change that turns one value into another; nil if they are equal. It recurses as deeply as
  /// the old value.
  init?(from old: PlistValue, to new: PlistValue) {
    if old == new { return nil }
    switch (old, new) {
    case (.dictionary(let old), .dictionary(let new)): self = .contents(.init(from: old, to: new))
    case (.array(let old), .array(let new)): self = .contents(.init(from: old, to: new))
    default: self = .replacement(new)
    }
  }
}

extension ContentChange {
  fileprivate init(from old: PlistDictionary, to new: PlistDictionary) {
    for (position, (key, value)) in old.enumerated() {
      guard let other = new[key] else {
        removals.insert(position)
        continue
      }
      if let change = ValueChange(from: value, to: other) { changes[position] = change }
    }
    for (key, value) in new where old[key] == nil {
      insertions.append(Insertion(key: key, value: value))
    }
  }

  fileprivate init(from old: [PlistValue], to new: [PlistValue]) {
    for change in ArrayAlignment(of: old, with: new).changes {
      for pair in change.pairs {
        switch (pair.first, pair.second) {
        case (let position?, let other?):
          changes[position] = ValueChange(from: old[position], to: new[other])
        case (let position?, nil): removals.insert(position)
        case (nil, let other):
          insertions.append(
            Insertion(position: change.first.upperBound, value: other.map { new[$0] } ?? .null))
        }
      }
    }
  }
}
