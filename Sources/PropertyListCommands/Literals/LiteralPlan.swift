internal import PropertyList

/// How a value is divided into literals, which is determined in advance because it depends on the
/// contents of all containers. Compilers reject literals that are nested too deeply, and the Swift
/// compiler takes quadratic time in the number of values of an expression. Containers that exceed
/// the limits get their own functions.
struct LiteralPlan {
  /// The type according to the contents.
  let type: LiteralType
  /// Whether the value is one literal, except for containers with their own functions.
  var isLiteral = true
  var isSeparate = false
  /// The containers in it, in the order they are written.
  var containers: [LiteralPlan] = []
  /// The number of values in this literal, and their nesting depth.
  fileprivate var values = 1
  fileprivate var depth = 0

  /// The number of containers in this one with their own functions.
  var separateCount: Int {
    containers.reduce(0) { $0 + $1.separateCount + ($1.isSeparate ? 1 : 0) }
  }

  fileprivate init(_ type: LiteralType) { self.type = type }
}

/// Plans the literals of a value. Readers limit the depth of values, and so of the recursion.
struct LiteralPlanner<Syntax: LiteralSyntax> {
  /// Whether the value contains dates or data.
  private(set) var hasFoundationTypes = false
  private var path: [String] = []
  private var containerCount = 0
  private var allowance: ExpansionLimit

  /// The minimum number of bytes that a container takes in the source, for its line and brackets,
  /// and in the plan.
  private static var leastSourceSize: Int { 96 }

  init(for value: PlistValue) { allowance = ExpansionLimit(for: value) }

  mutating func plan(_ value: PlistValue) throws(LiteralError) -> LiteralPlan {
    do throws(PlistError.Kind) {
      try allowance.check(containerCount * Self.leastSourceSize)
    } catch {
      throw failure(.tooLarge(error))
    }
    guard var container = ContainerCursor(of: value) else {
      guard let type = LiteralType(ofScalar: value) else {
        throw failure(.unrepresentableKind(value.kind))
      }
      if value.kind == .date || value.kind == .data { hasFoundationTypes = true }
      return LiteralPlan(type)
    }
    // Swift compares strings by canonical equivalence, property lists by their bytes.
    if Syntax.language == .swift, case .dictionary(let dictionary) = value,
      Set(dictionary.keys).count < dictionary.count
    {
      throw failure(.equivalentKeys)
    }
    containerCount += 1
    var (values, depth) = (1, 1)
    var element: LiteralType?
    var containers: [LiteralPlan] = []
    while let value = container.next() {
      path.append(container.component)
      let inner = try plan(value)
      path.removeLast()
      values += inner.isSeparate ? 1 : inner.values
      depth = max(depth, inner.isSeparate ? 1 : inner.depth + 1)
      element = element?.union(inner.type) ?? inner.type
      if value.isLiteralContainer { containers.append(inner) }
    }
    var result = LiteralPlan(.container(container.kind, of: element))
    (result.containers, result.values, result.depth) = (containers, values, depth)
    result.isLiteral = values <= Syntax.maximumValues
    result.isSeparate = !result.isLiteral || depth >= Syntax.maximumDepth
    return result
  }

  private func failure(_ kind: LiteralError.Kind) -> LiteralError {
    LiteralError(kind: kind, language: Syntax.language, keyPath: PlistKeyPath(components: path))
  }
}

extension ContainerCursor {
  /// A dictionary with its keys in natural order, or an array; nil for other values.
  init?(of value: PlistValue) {
    switch value {
    case .dictionary(let dictionary): self.init(dictionary, order: .natural)
    case .array(let elements): self.init(elements)
    default: return nil
    }
  }
}

extension PlistValue {
  var isLiteralContainer: Bool { kind == .dictionary || kind == .array }
}

/// The Swift type of a property list's literal.
indirect enum LiteralType: Equatable {
  case any
  case scalar(String)
  case array(of: LiteralType)
  case dictionary(of: LiteralType)

  /// The type of a container with elements of this type. Nested containers have their own types to
  /// a depth of three.
  static func container(_ kind: PlistValue.Kind, of element: LiteralType?) -> LiteralType {
    let element = element.map { $0.nesting < 3 ? $0 : .any } ?? .any
    return kind == .dictionary ? .dictionary(of: element) : .array(of: element)
  }

  /// The narrowest type that includes both.
  func union(_ other: LiteralType) -> LiteralType {
    switch (self, other) {
    case _ where self == other: self
    case (.array, .array): .array(of: .any)
    case (.dictionary, .dictionary): .dictionary(of: .any)
    default: .any
    }
  }

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
