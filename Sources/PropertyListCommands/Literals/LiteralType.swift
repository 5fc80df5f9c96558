internal import PropertyList

/// The Swift type of a property list's literal.
indirect enum LiteralType: Equatable {
  case any
  case scalar(String)
  case array(of: LiteralType)
  case dictionary(of: LiteralType)

  /// The type of a container with elements of this type. Nested containers have types of their own
  /// to a depth of three.
  static func container(_ kind: PlistValue.Kind, of element: LiteralType?) -> LiteralType {
    let element = element.map { $0.nesting < 3 ? $0 : .any } ?? .any
    return kind == .dictionary ? .dictionary(of: element) : .array(of: element)
  }

  /// The narrowest of these types that includes both.
  func union(_ other: LiteralType) -> LiteralType {
    switch (self, other) {
    case _ where self == other: self
    case (.array, .array): .array(of: .any)
    case (.dictionary, .dictionary): .dictionary(of: .any)
    default: .any
    }
  }

  /// The type of a container's elements; any for other types.
  var element: LiteralType {
    switch self {
    case .array(let element), .dictionary(let element): element
    default: .any
    }
  }

  /// Whether the type contains `Any`.
  var isErased: Bool {
    switch self {
    case .any: true
    case .scalar: false
    case .array(let element), .dictionary(let element): element.isErased
    }
  }

  private var nesting: Int {
    switch self {
    case .any, .scalar: 0
    case .array(let element), .dictionary(let element): element.nesting + 1
    }
  }
}

extension LiteralType: CustomStringConvertible {
  /// The type in source code.
  var description: String {
    switch self {
    case .any: "Any"
    case .scalar(let name): name
    case .array(let element): "[\(element)]"
    case .dictionary(let element): "[String : \(element)]"
    }
  }
}

extension LiteralType {
  /// The type of a scalar; nil for containers and for values that have no literal.
  init?(ofScalar value: PlistValue) {
    switch value {
    case .string: self = .scalar("String")
    case .integer: self = .scalar("Int")
    case .unsignedInteger(let number):
      self = .scalar(Int64(exactly: number) == nil ? "UInt64" : "Int")
    case .real, .float: self = .scalar("Double")
    case .boolean: self = .scalar("Bool")
    case .date: self = .scalar("Date")
    case .data: self = .scalar("Data")
    case .dictionary, .array, .set, .uid, .null: return nil
    }
  }
}
