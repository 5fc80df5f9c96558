public import FoundationEssentials

/// One value of a property list.
///
/// Two values are equal if they have the same kind and the same value: `1`, `1.0` and `true` are
/// three different values. Strings and keys are compared by their bytes, dictionaries and sets
/// regardless of order. All NaNs are equal, and a ``float(_:)`` equals the ``real(_:)`` with the
/// same value, because the width matters only for storage.
public enum PlistValue: Sendable {
  /// Keyed values in document order.
  case dictionary(PlistDictionary)
  /// Values in order.
  case array([PlistValue])
  /// Text.
  case string(String)
  /// An integer. Readers use this case for all integers up to `Int64.max`.
  case integer(Int64)
  /// An integer above `Int64.max`; a smaller one equals the same ``integer(_:)``.
  case unsignedInteger(UInt64)
  /// A floating-point number.
  case real(Double)
  /// A floating-point number that a binary property list stores in four bytes.
  case float(Float)
  /// True or false.
  case boolean(Bool)
  /// A point in time. All formats but binary store whole seconds.
  case date(Date)
  /// Bytes.
  case data(Data)
  /// A reference to an object of a keyed archive by its number.
  case uid(UInt32)
  /// An unordered collection, which only binary property lists can represent.
  case set([PlistValue])
  /// Null, which only binary property lists and JSON can represent.
  case null
}

extension PlistValue {
  /// The kinds of values.
  public enum Kind: String, Sendable, Hashable, CaseIterable, CustomStringConvertible {
    /// The kinds by the names of the cases of ``PlistValue``.
    case dictionary, array, string, integer, real, boolean, date, data, uid, set, null

    /// The kind's name in lower case, as error texts use it.
    public var description: String { self == .uid ? "UID" : rawValue }

    /// The brackets of a container in notations where arrays have square brackets.
    package var brackets: (opening: String, closing: String) {
      self == .dictionary ? ("{", "}") : self == .array ? ("[", "]") : ("{(", ")}")
    }

    package var isContainer: Bool { self == .dictionary || self == .array || self == .set }

    /// The kind's name in the plural, such as `arrays`; data and null have none.
    package var plural: String {
      switch self {
      case .data, .null: "\(self)"
      case .dictionary: "dictionaries"
      case .array, .string, .integer, .real, .boolean, .date, .uid, .set: "\(self)s"
      }
    }

    /// The kind's name with its indefinite article, such as `an array`; data and null take none.
    package var withArticle: String {
      switch self {
      case .data, .null: "\(self)"
      case .array, .integer: "an \(self)"
      case .dictionary, .string, .real, .boolean, .date, .uid, .set: "a \(self)"
      }
    }
  }

  /// The kind of the value.
  public var kind: Kind {
    switch self {
    case .dictionary: .dictionary
    case .array: .array
    case .string: .string
    case .integer, .unsignedInteger: .integer
    case .real, .float: .real
    case .boolean: .boolean
    case .date: .date
    case .data: .data
    case .uid: .uid
    case .set: .set
    case .null: .null
    }
  }
}

extension PlistValue: ExpressibleByStringLiteral {
  /// Creates a string.
  public init(stringLiteral value: String) { self = .string(value) }
}

extension PlistValue: ExpressibleByIntegerLiteral {
  /// Creates an integer.
  public init(integerLiteral value: Int64) { self = .integer(value) }
}

extension PlistValue: ExpressibleByFloatLiteral {
  /// Creates a real.
  public init(floatLiteral value: Double) { self = .real(value) }
}

extension PlistValue: ExpressibleByBooleanLiteral {
  /// Creates a boolean.
  public init(booleanLiteral value: Bool) { self = .boolean(value) }
}

extension PlistValue: ExpressibleByArrayLiteral {
  /// Creates an array.
  public init(arrayLiteral elements: PlistValue...) { self = .array(elements) }
}

extension PlistValue: ExpressibleByDictionaryLiteral {
  /// Creates a dictionary of the entries in the literal's order; a repeated key keeps its first
  /// position and its last value.
  public init(dictionaryLiteral elements: (String, PlistValue)...) {
    self = .dictionary(PlistDictionary(elements))
  }
}
