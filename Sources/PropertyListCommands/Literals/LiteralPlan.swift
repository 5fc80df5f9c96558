internal import PropertyList

/// The division of a value into literals, which is determined in advance because it depends on the
/// contents of all containers. Compilers reject literals that are nested too deeply, and Swift's
/// takes quadratic time in the number of values of an expression. Containers that exceed the limits
/// get functions of their own.
struct LiteralPlan {
  /// The limits of one literal.
  struct Limits {
    /// The maximum number of values, including containers.
    var values: Int
    /// The maximum nesting depth of containers.
    var depth: Int
  }

  struct Container {
    /// The type according to its contents.
    var type: LiteralType
    /// The number of containers in it, including itself.
    var count: Int
    /// Whether it is one literal, except for containers with functions of their own.
    var isLiteral: Bool
    /// Whether it has a function of its own.
    var isSeparate: Bool
  }

  /// The containers in the order they are written, the outermost first.
  private(set) var containers: [Container] = []
  private(set) var type = LiteralType.any
  /// Whether the value contains dates or data.
  private(set) var hasFoundationTypes = false

  /// The least number of bytes that a container takes in the source, where it has a line and
  /// brackets, and in the plan.
  private static let leastSourceSize = 4 * MemoryLayout<Container>.stride

  private let limits: Limits
  private var frames: [Frame] = []

  /// A container that the walk has entered.
  private struct Frame {
    let number: Int
    /// The number of values in the literal of this container.
    var values = 1
    /// The nesting depth of the literal of this container.
    var depth = 1
    /// The common type of the elements so far; nil before the first.
    var element: LiteralType?
  }

  init(of value: PlistValue, limits: Limits, language: LiteralLanguage) throws(LiteralError) {
    self.limits = limits
    var walk = PlistTreeWalk(value, keyOrder: .natural)
    var allowance = OutputAllowance(for: value)
    do throws(LiteralError.Kind) {
      while let event = walk.next() {
        // Each container takes space in the plan, and later in the source.
        do throws(PlistError.Kind) {
          try allowance.check(containers.count * Self.leastSourceSize)
        } catch {
          throw .tooLarge(error)
        }
        switch event {
        case .open(let container): try open(container, in: language)
        case .leaf(let leaf): try count(leaf)
        case .close(let kind, _): close(kind)
        }
      }
    } catch {
      throw LiteralError(kind: error, language: language, keyPath: walk.keyPath)
    }
  }

  private mutating func open(
    _ container: PlistValue, in language: LiteralLanguage
  ) throws(LiteralError.Kind) {
    switch container {
    case .dictionary(let dictionary):
      // Swift compares strings by canonical equivalence, property lists by their bytes.
      if language == .swift, Set(dictionary.keys).count < dictionary.count { throw .equivalentKeys }
    case .array: break
    default: throw .unrepresentableKind(container.kind)
    }
    frames.append(Frame(number: containers.count))
    containers.append(Container(type: .any, count: 1, isLiteral: true, isSeparate: false))
  }

  private mutating func close(_ kind: PlistValue.Kind) {
    let frame = frames.removeLast()
    let isLiteral = frame.values <= limits.values
    let isSeparate = !isLiteral || frame.depth >= limits.depth
    let type = LiteralType.container(kind, of: frame.element)
    containers[frame.number] = Container(
      type: type, count: containers.count - frame.number, isLiteral: isLiteral,
      isSeparate: isSeparate)
    count(type, values: isSeparate ? 1 : frame.values, depth: isSeparate ? 0 : frame.depth)
  }

  private mutating func count(_ scalar: PlistValue) throws(LiteralError.Kind) {
    guard let type = LiteralType(ofScalar: scalar) else { throw .unrepresentableKind(scalar.kind) }
    if scalar.kind == .date || scalar.kind == .data { hasFoundationTypes = true }
    count(type, values: 1, depth: 0)
  }

  /// Adds a value to the container that holds it.
  private mutating func count(_ type: LiteralType, values: Int, depth: Int) {
    guard let last = frames.indices.last else {
      self.type = type
      return
    }
    frames[last].values += values
    frames[last].depth = max(frames[last].depth, depth + 1)
    frames[last].element = frames[last].element?.union(type) ?? type
  }
}

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
