public import FoundationEssentials

/// One value of a property list.
///
/// Two values are equal if they are of the same kind and hold the same value: `1`, `1.0` and `true`
/// are three different values. Strings and keys are compared by their bytes, dictionaries and sets
/// regardless of order. All NaNs are equal, and a ``float(_:)`` equals the ``real(_:)`` of the same
/// value, since its width only matters for storage.
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
    public var description: String {
      self == .uid ? "UID" : rawValue
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

extension PlistValue: Hashable {
  /// Returns whether both values are of the same kind and equal.
  public static func == (left: PlistValue, right: PlistValue) -> Bool {
    switch (left, right) {
    case (.dictionary(let a), .dictionary(let b)): a == b
    case (.array(let a), .array(let b)): a == b
    case (.string(let a), .string(let b)): a.hasSameBytes(as: b)
    case (.integer(let a), .integer(let b)): a == b
    case (.unsignedInteger(let a), .unsignedInteger(let b)): a == b
    case (.integer(let a), .unsignedInteger(let b)): a == b
    case (.unsignedInteger(let a), .integer(let b)): a == b
    case (.real(let a), .real(let b)): sameNumber(a, b)
    case (.float(let a), .float(let b)): sameNumber(Double(a), Double(b))
    case (.real(let a), .float(let b)): sameNumber(a, Double(b))
    case (.float(let a), .real(let b)): sameNumber(Double(a), b)
    case (.boolean(let a), .boolean(let b)): a == b
    case (.date(let a), .date(let b)):
      sameNumber(a.timeIntervalSinceReferenceDate, b.timeIntervalSinceReferenceDate)
    case (.data(let a), .data(let b)): a == b
    case (.uid(let a), .uid(let b)): a == b
    case (.set(let a), .set(let b)): sameElements(a, b)
    case (.null, .null): true
    default: false
    }
  }

  /// Feeds the kind and the value into the hasher.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(kind)
    switch self {
    case .dictionary(let dictionary): hasher.combine(dictionary)
    case .array(let elements): hasher.combine(elements)
    case .string(let string): string.hashBytes(into: &hasher)
    case .integer(let number): hasher.combine(number)
    case .unsignedInteger(let number):
      if let signed = Int64(exactly: number) {
        hasher.combine(signed)
      } else {
        hasher.combine(number)
      }
    case .real(let number): hashNumber(number, into: &hasher)
    case .float(let number): hashNumber(Double(number), into: &hasher)
    case .boolean(let boolean): hasher.combine(boolean)
    case .date(let date): hashNumber(date.timeIntervalSinceReferenceDate, into: &hasher)
    case .data(let data): hasher.combine(data)
    case .uid(let uid): hasher.combine(uid)
    case .set(let elements):
      hasher.combine(elements.count)
      // A sum, since two equal elements would cancel each other in an exclusive or.
      hasher.combine(elements.reduce(0) { $0 &+ $1.hashValue })
    case .null: break
    }
  }
}

/// Returns whether two sets hold equal elements equally often.
///
/// Each element is hashed once and compared only with those of the same hash: nested sets would
/// take exponential time otherwise.
private func sameElements(_ left: [PlistValue], _ right: [PlistValue]) -> Bool {
  guard left.count == right.count else { return false }
  var candidates: [Int: [PlistValue]] = [:]
  for element in right { candidates[element.hashValue, default: []].append(element) }
  for element in left {
    let hash = element.hashValue
    guard let match = candidates[hash]?.lastIndex(of: element) else { return false }
    candidates[hash]?.remove(at: match)
  }
  return true
}

private func sameNumber(_ left: Double, _ right: Double) -> Bool {
  left == right || (left.isNaN && right.isNaN)
}

private func hashNumber(_ number: Double, into hasher: inout Hasher) {
  hasher.combine(number.isNaN ? .nan : number)
}
