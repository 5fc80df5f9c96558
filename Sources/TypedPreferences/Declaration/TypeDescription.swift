internal import FoundationEssentials
internal import Manifests
internal import PropertyList

/// What a manifest says about the values of a Swift type.
struct TypeDescription {
  private(set) var key = PreferencesManifest.Key(nil)

  private static let maximumDepth = 16

  /// Describes a type.
  ///
  /// - Parameters:
  ///   - sample: A value that shows the members of a Codable type; nil for none.
  ///   - stored: Returns the stored form of a value of the type.
  init(
    of type: Any.Type, like sample: Any?, stored: @escaping (Any) -> PlistValue?, depth: Int = 0
  ) {
    guard depth < Self.maximumDepth else { return }
    if let type = type as? any DescribedContainer.Type {
      describe(type, sample, stored, depth)
    } else if let leaf = Self.leaf(type) {
      key.type = leaf
      if let integer = type as? any FixedWidthInteger.Type { describeBounds(of: integer) }
    } else if let listed = type as? any CaseIterable.Type, describeCases(of: listed, stored) {
      return
    } else if let sample, let value = stored(sample) {
      key.subkeys = MemberRecorder.members(of: sample, depth: depth + 1)
      // A value that is stored as JSON is also read as a dictionary.
      key.type =
        key.subkeys.isEmpty || value.kind == .dictionary ? Self.type(of: value.kind) : nil
    }
  }

  /// The property-list type that stores values of a standard type.
  private static func leaf(_ type: Any.Type) -> PreferencesManifest.Key.ValueType? {
    switch type {
    case is Bool.Type: .boolean
    case is any FixedWidthInteger.Type: .integer
    case is any BinaryFloatingPoint.Type: .real
    case is String.Type, is UUID.Type: .string
    case is URL.Type: .url
    case is Date.Type: .date
    case is Data.Type: .data
    default: nil
    }
  }

  private static func type(of kind: PlistValue.Kind) -> PreferencesManifest.Key.ValueType? {
    PreferencesManifest.Key.ValueType(name: "\(kind)")
  }

  private mutating func describe(
    _ type: any DescribedContainer.Type, _ sample: Any?,
    _ stored: @escaping (Any) -> PlistValue?, _ depth: Int
  ) {
    let inner = TypeDescription(
      of: type.elementType, like: sample.flatMap { type.element(of: $0) },
      stored: { type.stored($0, by: stored) }, depth: depth + 1)
    switch type.containerType {
    case nil: key = inner.key
    case let container:
      key.type = container
      guard inner.key != PreferencesManifest.Key(nil) else { return }
      key.subkeys = [inner.key]
      if container == .dictionary {
        key.subkeys[0].name = PreferencesManifest.Key.anyValueName
      }
    }
  }

  /// Adds the bounds of a type that is narrower than the integers of property lists.
  private mutating func describeBounds<Integer: FixedWidthInteger>(of type: Integer.Type) {
    if let minimum = Int64(exactly: Integer.min), minimum != .min {
      key.minimum = .integer(minimum)
    }
    if let maximum = Int64(exactly: Integer.max), maximum != .max {
      key.maximum = .integer(maximum)
    }
  }

  /// Adds the list of an enumeration with raw values; returns whether the type is one.
  private mutating func describeCases<Cases: CaseIterable>(
    of type: Cases.Type, _ stored: @escaping (Any) -> PlistValue?
  ) -> Bool {
    var values: [PlistValue] = []
    var titles: [String] = []
    for form in [Self.rawValue, stored] {
      for value in type.allCases {
        guard value is any RawRepresentable, let form = form(value) else { return false }
        if values.contains(form) { continue }
        values.append(form)
        titles.append("\(value)")
      }
    }
    guard let first = values.first else { return false }
    key.type = values.allSatisfy { $0.kind == first.kind } ? Self.type(of: first.kind) : nil
    key.allowedValues = values
    // Names that equal the values add no information.
    if zip(values, titles).contains(where: { $0 != .string($1) }) {
      key.allowedValueTitles = titles
    }
    return true
  }

  private static func rawValue(of value: Any) -> PlistValue? {
    (value as? any RawRepresentable).flatMap { try? PlistValue(untyped: $0.rawValue) }
  }
}

// MARK: Containers

/// A type whose description contains another type's.
private protocol DescribedContainer {
  static var elementType: Any.Type { get }
  /// Nil for an optional, which is described like its content.
  static var containerType: PreferencesManifest.Key.ValueType? { get }
  static func element(of container: Any) -> Any?
  /// Returns the stored form that an element has in a stored container.
  static func stored(_ element: Any, by stored: (Any) -> PlistValue?) -> PlistValue?
}

extension Optional: DescribedContainer {
  static var elementType: Any.Type { Wrapped.self }
  static var containerType: PreferencesManifest.Key.ValueType? { nil }

  static func element(of container: Any) -> Any? { (container as? Self).flatMap { $0 } }

  static func stored(_ element: Any, by stored: (Any) -> PlistValue?) -> PlistValue? {
    (element as? Wrapped).flatMap { stored(Self.some($0) as Any) }
  }
}

/// Stored as an array.
private protocol DescribedCollection: DescribedContainer, Collection {
  init(_ elements: [Element])
}

extension DescribedCollection {
  static var elementType: Any.Type { Element.self }
  static var containerType: PreferencesManifest.Key.ValueType? { .array }

  static func element(of container: Any) -> Any? { (container as? Self)?.first }

  static func stored(_ element: Any, by stored: (Any) -> PlistValue?) -> PlistValue? {
    guard let element = element as? Element, case .array(let array)? = stored(Self([element]))
    else { return nil }
    return array.first
  }
}

extension Array: DescribedCollection {}
extension Set: DescribedCollection {}

extension Dictionary: DescribedContainer {
  static var elementType: Any.Type { Value.self }
  static var containerType: PreferencesManifest.Key.ValueType? { .dictionary }

  static func element(of container: Any) -> Any? { (container as? Self)?.first?.value }

  static func stored(_ element: Any, by stored: (Any) -> PlistValue?) -> PlistValue? {
    guard let element = element as? Value, let key = "0" as? Key ?? 0 as? Key,
      case .dictionary(let dictionary)? = stored([key: element])
    else { return nil }
    return dictionary.first?.value
  }
}
