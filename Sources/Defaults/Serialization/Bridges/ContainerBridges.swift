internal import TypedPreferences

extension Defaults {
  /// The bridge of optionals, which uses the wrapped type's bridge: nothing is stored for nil.
  public struct OptionalBridge<Wrapped: DefaultsSerializable>: DerivedBridge {
    /// The values of the wrapped type.
    public typealias Value = Wrapped.Value
    /// The stored form of the wrapped type.
    public typealias Serializable = Wrapped.Serializable

    /// Creates the bridge.
    public init() {}

    var coder: PlistCoder<Wrapped?> { .optional(of: .serializable()) }
    var formCoder: PlistCoder<Wrapped?> { .optional(of: .form()) }
  }
}

/// An optional of any type. A value of unknown type can be cast to it to find out whether it is
/// nil.
public protocol _DefaultsOptionalProtocol: ExpressibleByNilLiteral {
  var _defaults_isNil: Bool { get }
}

extension Optional: _DefaultsOptionalProtocol {
  /// Whether the value is nil.
  public var _defaults_isNil: Bool { self == nil }
}

extension Defaults {
  /// The bridge of arrays, which are stored as arrays of the elements' stored forms.
  public struct ArrayBridge<Element: DefaultsSerializable>: DerivedBridge {
    /// The array.
    public typealias Value = [Element]
    /// The stored forms of the elements.
    public typealias Serializable = [Element.Serializable]

    /// Creates the bridge.
    public init() {}

    var coder: PlistCoder<[Element]> { .array(of: .serializable()).readingJSON() }
    var formCoder: PlistCoder<[Element]> { .array(of: .form()) }
  }

  /// The bridge of dictionaries, which are stored under the descriptions of their keys.
  public struct DictionaryBridge<
    Key: LosslessStringConvertible & Hashable, Element: DefaultsSerializable
  >: DerivedBridge {
    /// The values by their keys.
    public typealias Value = [Key: Element.Value]
    /// The stored forms of the values by the descriptions of their keys.
    public typealias Serializable = [String: Element.Serializable]

    /// Creates the bridge.
    public init() {}

    var coder: PlistCoder<[Key: Element]> { .dictionary(of: .serializable()).readingJSON() }
    var formCoder: PlistCoder<[Key: Element]> { .dictionary(of: .form()) }
  }

  /// The bridge of sets, which are stored as arrays in an order that depends only on the elements.
  public struct SetBridge<Element: DefaultsSerializable & Hashable>: DerivedBridge {
    /// The set.
    public typealias Value = Set<Element>
    /// An array of the elements' stored forms.
    public typealias Serializable = Any

    /// Creates the bridge.
    public init() {}

    var coder: PlistCoder<Set<Element>> { .set(of: .serializable()).readingJSON() }
  }

  /// The bridge of collections other than `Array`, which are stored as arrays.
  public struct CollectionBridge<Value: CollectionSerializable>: DerivedBridge
  where Value.Element: DefaultsSerializable {
    /// The elements of the collection.
    public typealias Element = Value.Element
    /// An array of the elements' stored forms.
    public typealias Serializable = Any

    /// Creates the bridge.
    public init() {}

    var coder: PlistCoder<Value> {
      let elements = PlistCoder<Element>.serializable()
      return .collection(of: elements, elements: { Array($0) }, make: { Value($0) }).readingJSON()
    }
  }
}

/// A collection that can be stored, as an array of its elements:
/// ``Defaults/CollectionSerializable``.
public protocol DefaultsCollectionSerializable<Element>: Collection, DefaultsSerializable {
  /// Creates a collection of stored elements.
  init(_ elements: [Element])
}

extension Defaults {
  /// A collection that can be stored.
  public typealias CollectionSerializable = DefaultsCollectionSerializable
}

extension Defaults.CollectionSerializable where Element: Defaults.Serializable {
  /// Stores an array of the elements.
  public static var bridge: Defaults.CollectionBridge<Self> { Defaults.CollectionBridge() }
}

extension Defaults {
  /// The bridge of sets other than `Set`, which are stored as arrays in an order that depends only
  /// on the elements.
  public struct SetAlgebraBridge<Value: SetAlgebraSerializable>: DerivedBridge
  where Value.Element: DefaultsSerializable {
    /// The elements of the set.
    public typealias Element = Value.Element
    /// An array of the elements' stored forms.
    public typealias Serializable = Any

    /// Creates the bridge.
    public init() {}

    var coder: PlistCoder<Value> {
      let elements = PlistCoder<Element>.serializable()
      return .unordered(of: elements, elements: { $0.toArray() }, make: { Value($0) }).readingJSON()
    }
  }
}

/// A set that can be stored, as an array in an order that depends only on its elements:
/// ``Defaults/SetAlgebraSerializable``.
public protocol DefaultsSetAlgebraSerializable<Element>: SetAlgebra, DefaultsSerializable {
  /// Returns the elements in any order.
  func toArray() -> [Element]
}

extension Defaults {
  /// A set that can be stored.
  public typealias SetAlgebraSerializable = DefaultsSetAlgebraSerializable
}

extension Defaults.SetAlgebraSerializable
where Element: Defaults.Serializable & Hashable {
  /// Stores an array of the elements.
  public static var bridge: Defaults.SetAlgebraBridge<Self> { Defaults.SetAlgebraBridge() }
}

extension Defaults {
  /// The bridge of ranges, which are stored as arrays of the bounds.
  public struct RangeBridge<Value: RangeSerializable>: DerivedBridge {
    /// The stored forms of the two bounds.
    public typealias Serializable = [Any]

    /// Creates the bridge.
    public init() {}

    var coder: PlistCoder<Value> {
      let range = PlistCoder<Value>.range(of: PlistCoder<Value.Bound>.serializable()) {
        [$0.lowerBound, $0.upperBound]
      } make: {
        Value(uncheckedBounds: (lower: $0, upper: $1))
      }
      return range.readingJSON()
    }
  }

  /// A range, as ``RangeBridge`` stores it.
  public protocol Range<Bound> {
    /// The type of the bounds.
    associatedtype Bound: Comparable, DefaultsSerializable

    /// The lower bound.
    var lowerBound: Bound { get }
    /// The upper bound.
    var upperBound: Bound { get }

    /// Creates a range from bounds that are in order.
    init(uncheckedBounds: (lower: Bound, upper: Bound))
  }

  /// A range that can be stored.
  ///
  /// A type other than `Range` and `ClosedRange` returns ``RangeBridge`` as its bridge.
  public typealias RangeSerializable = Range & Serializable
}
