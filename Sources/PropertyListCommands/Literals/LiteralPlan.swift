internal import PropertyList

/// How the containers of a value are going to be written: found out before the first of them is, because
/// it depends on all that they hold.
///
/// Compilers give up on literals that are nested too deep, and Swift's takes time in the square of the
/// number of values in one expression. Containers that would lead to that get functions of their own.
struct LiteralPlan {
  /// What one literal may be.
  struct Limits {
    /// How many values, containers included, there may be in it.
    var values: Int
    /// How many containers may be within one another.
    var depth: Int
  }

  /// What is planned for one container.
  struct Container {
    /// The type that it has by its contents.
    var type: LiteralType
    /// How many containers it consists of, itself included.
    var count: Int
    /// Whether all of it, but for containers with functions of their own, is one literal.
    var isLiteral: Bool
    /// Whether it gets a function of its own.
    var isSeparate: Bool
  }

  /// The containers in the order in which they are written, the outermost first.
  private(set) var containers: [Container] = []
  /// The type of the whole value.
  private(set) var type = LiteralType.any
  /// Whether there are dates or data in it.
  private(set) var hasFoundationTypes = false

  private let limits: Limits
  private var frames: [Frame] = []

  /// A container that the walk is in the middle of.
  private struct Frame {
    var container: ContainerCursor
    let number: Int
    /// How many values are in the literal of this container.
    var values = 1
    /// How many containers are within one another in it.
    var depth = 1
    /// The type of the values so far; nil before the first.
    var element: LiteralType?

    init(_ container: ContainerCursor, number: Int) {
      self.container = container
      self.number = number
    }
  }

  /// Plans a value for a language.
  init(
    of value: PlistValue, limits: Limits, language: LiteralLanguage
  ) throws(LiteralError) {
    self.limits = limits
    do throws(LiteralError.Kind) {
      try add(value, in: language)
      while let last = frames.indices.last {
        if let next = frames[last].container.next() {
          try add(next, in: language)
        } else {
          close(frames.removeLast())
        }
      }
    } catch {
      let path = frames.map(\.container).filter { $0.index >= 0 }.map(\.component)
      throw LiteralError(
        kind: error, language: language, keyPath: PlistKeyPath(components: path))
    }
  }

  private mutating func add(
    _ value: PlistValue, in language: LiteralLanguage
  ) throws(LiteralError.Kind) {
    switch value {
    case .dictionary(let dictionary):
      // Swift compares strings by what they mean, property lists by their bytes.
      if language == .swift, Set(dictionary.keys).count < dictionary.count {
        throw .equivalentKeys
      }
      open(ContainerCursor(dictionary, order: .sorted))
    case .array(let elements):
      open(ContainerCursor(elements))
    default:
      guard let type = LiteralType(ofScalar: value) else {
        throw .unrepresentableKind(value.kind)
      }
      if value.kind == .date || value.kind == .data { hasFoundationTypes = true }
      note(type, values: 1, depth: 0)
    }
  }

  private mutating func open(_ container: ContainerCursor) {
    frames.append(Frame(container, number: containers.count))
    containers.append(Container(type: .any, count: 1, isLiteral: true, isSeparate: false))
  }

  private mutating func close(_ frame: Frame) {
    let isLiteral = frame.values <= limits.values
    let isSeparate = !isLiteral || frame.depth >= limits.depth
    let type = LiteralType.container(frame.container.kind, of: frame.element)
    containers[frame.number] = Container(
      type: type, count: containers.count - frame.number, isLiteral: isLiteral,
      isSeparate: isSeparate)
    note(type, values: isSeparate ? 1 : frame.values, depth: isSeparate ? 0 : frame.depth)
  }

  /// Notes a value in the container around it.
  private mutating func note(_ type: LiteralType, values: Int, depth: Int) {
    guard let last = frames.indices.last else {
      self.type = type
      return
    }
    frames[last].values += values
    frames[last].depth = max(frames[last].depth, depth + 1)
    frames[last].element = frames[last].element?.union(type) ?? type
  }
}
