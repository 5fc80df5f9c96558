internal import FoundationEssentials
package import PropertyList

extension InspectedTree {
  /// A container whose values are being added.
  private struct Container {
    var cursor: ContainerCursor
    var lines: PlistLines?
    let members: [(key: Int?, value: Int)]?
    /// The state in a comparison of all that is in it.
    let state: State?
    /// How many property lists in data are around it.
    let nesting: Int
    /// The number of nodes to be ended with it.
    let ends: Int
  }

  /// How many property lists in data are shown in one another.
  private static let maximumNesting = 8

  /// Adds a value with everything in it, up to ``maximumCount`` nodes. Data that is a property list
  /// has this in it.
  ///
  /// - Parameters:
  ///   - key: The key of the value; nil for an element or a root.
  ///   - lines: The lines in the text document that the value was read from.
  ///   - map: The map of the binary document that the value was read from.
  package mutating func add(
    _ value: PlistValue, key: String? = nil, _ annotations: Annotations = .init(),
    lines: PlistLines? = nil, map: BinaryPlistMap? = nil
  ) {
    var containers: [Container] = []
    var annotations = annotations
    annotations.line = lines?.line
    annotations.object = map?.topObject
    enter(value, key, annotations, lines: lines, map: map, &containers)
    while var container = containers.popLast() {
      guard let value = container.cursor.next(), !isTooLarge else {
        for _ in 0..<container.ends { end() }
        continue
      }
      let index = container.cursor.index
      var annotations = Annotations(container.state, index: index)
      let lines = container.lines.flatMap {
        $0.children.indices.contains(index) ? $0.children[index] : nil
      }
      annotations.line = lines?.line
      annotations.object = container.members?[index].value
      annotations.keyObject = container.members?[index].key
      let (key, nesting) = (container.cursor.key, container.nesting)
      containers.append(container)
      enter(value, key, annotations, lines: lines, map: map, &containers, nesting: nesting)
    }
  }

  private mutating func enter(
    _ value: PlistValue, _ key: String?, _ annotations: Annotations, lines: PlistLines?,
    map: BinaryPlistMap?, _ containers: inout [Container], nesting: Int = 0, outerEnds: Int = 0
  ) {
    let cursor: ContainerCursor
    let keys: [String]
    switch value {
    case .dictionary(let dictionary):
      cursor = ContainerCursor(dictionary, order: .document)
      keys = map == nil ? [] : Array(dictionary.keys)
      begin(.dictionary, key: key, annotations)
    case .array(let elements):
      (cursor, keys) = (ContainerCursor(elements), [])
      begin(.array, key: key, annotations)
    case .set(let elements):
      (cursor, keys) = (ContainerCursor(elements, kind: .set), [])
      begin(.set, key: key, annotations)
    case .data(let data):
      guard nesting < Self.maximumNesting, let inner = Plist.readNested(data)?.value else {
        return addLeaf(value, key: key, annotations)
      }
      begin(.nested, key: key, text: data.base64EncodedString(), annotations)
      let count = containers.count
      enter(
        inner, nil, Annotations(annotations.state, index: -1), lines: nil, map: nil, &containers,
        nesting: nesting + 1,
        outerEnds: outerEnds + 1)
      if containers.count == count { end() }
      return
    default:
      return addLeaf(value, key: key, annotations)
    }
    let members = annotations.object.flatMap {
      map?.members(of: $0, keys: keys, count: cursor.count)
    }
    containers.append(
      Container(
        cursor: cursor, lines: lines, members: members, state: annotations.state,
        nesting: nesting, ends: 1 + outerEnds))
  }

  private mutating func addLeaf(
    _ value: PlistValue, key: String?, _ annotations: Annotations
  ) {
    let (type, text) = Self.leaf(value)
    begin(type, key: key, text: text, annotations)
  }

  /// Adds a leaf whose value in the second file of a comparison is another one.
  package mutating func addChanged(
    _ value: PlistValue, to other: PlistValue, key: String?, _ annotations: Annotations
  ) {
    addLeaf(value, key: key, annotations)
    let (type, text) = Self.leaf(other)
    addOther(type, text)
  }

  /// The type and text of a value that is not a container.
  static func leaf(_ value: PlistValue) -> (NodeType, String?) {
    switch value {
    case .string(let text): (.string, text)
    case .integer(let number): (.integer, String(number))
    case .unsignedInteger(let number): (.integer, String(number))
    case .real(let number): (.real, number.description)
    case .float(let number): (.real, number.description)
    case .boolean(let boolean): (boolean ? .yes : .no, nil)
    case .date(let date): (.date, date.timeIntervalSinceReferenceDate.description)
    case .data(let data): (.data, data.base64EncodedString())
    case .uid(let number): (.uid, String(number))
    case .null: (.null, nil)
    case .dictionary: (.dictionary, nil)
    case .array: (.array, nil)
    case .set: (.set, nil)
    }
  }
}
