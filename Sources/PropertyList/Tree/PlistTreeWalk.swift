/// A walk through a value in depth-first order.
///
/// The open containers are on the walk's own stack, so that the depth of a value does not add to
/// the depth of the call stack.
///
/// ```swift
/// var walk = PlistTreeWalk(value, keyOrder: .sorted)
/// while let event = walk.next() {
///   switch event {
///   case .open: print("\(walk.key ?? "") {")
///   case .leaf(let value): print("\(walk.key ?? "") \(value)")
///   case .close: print("}")
///   }
/// }
/// ```
package struct PlistTreeWalk {
  package enum Event {
    /// The beginning of a dictionary, an array or a set.
    case open(PlistValue)
    /// A value that is not a container.
    case leaf(PlistValue)
    /// The end of a container, with the number of its values.
    case close(PlistValue.Kind, count: Int)
  }

  private let keyOrder: PlistWriteOptions.KeyOrder
  private var root: PlistValue?
  /// The open containers, including the one that the current event opens.
  private var containers: [ContainerCursor] = []

  /// The number of containers around the value of the current event.
  package private(set) var depth = 0

  package init(_ root: PlistValue, keyOrder: PlistWriteOptions.KeyOrder) {
    (self.root, self.keyOrder) = (root, keyOrder)
  }

  @inline(__always)
  package mutating func next() -> Event? {
    depth = containers.count
    guard depth > 0 else {
      defer { root = nil }
      return root.map { enter($0) }
    }
    if let value = containers[depth - 1].next() { return enter(value) }
    let closed = containers.removeLast()
    depth -= 1
    return .close(closed.kind, count: closed.count)
  }

  /// Skips the contents and the end of the container that the current event opens.
  package mutating func skipContents() {
    if containers.count > depth { containers.removeLast() }
  }

  @inline(__always)
  private mutating func enter(_ value: PlistValue) -> Event {
    switch value {
    case .dictionary(let dictionary):
      containers.append(ContainerCursor(dictionary, order: keyOrder))
    case .array(let elements): containers.append(ContainerCursor(elements))
    case .set(let elements): containers.append(ContainerCursor(elements, kind: .set))
    default: return .leaf(value)
    }
    return .open(value)
  }

  /// The kind of the container around the value; nil for the root.
  @inline(__always)
  package var containerKind: PlistValue.Kind? { depth > 0 ? containers[depth - 1].kind : nil }

  /// The key of the value; nil for the root and in an array or set.
  @inline(__always)
  package var key: String? { depth > 0 ? containers[depth - 1].key : nil }

  /// The position of the value in the container around it, in the order of the walk; 0 for the
  /// root.
  @inline(__always)
  package var index: Int { depth > 0 ? containers[depth - 1].index : 0 }

  /// Whether no value follows in the container around the value.
  package var isLast: Bool {
    depth == 0 || containers[depth - 1].index + 1 == containers[depth - 1].count
  }

  package var keyPath: PlistKeyPath { PlistKeyPath(components: components()) }

  /// The components of the path from the root to the value.
  ///
  /// - Parameter member: The component for an element of a set; nil for its index.
  package func components(member: String? = nil) -> [String] {
    containers.prefix(depth).map { container in
      if let member, container.kind == .set { return member }
      return container.component
    }
  }
}
