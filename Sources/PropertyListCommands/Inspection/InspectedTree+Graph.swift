internal import InspectionPage
internal import PropertyList

extension InspectedTree {
  /// The objects of a keyed archive, each where it is met first; those that are too deep for that
  /// are under `$objects`.
  init(_ archive: ArchivedObjects) {
    self.init()
    var graph = ArchiveGraph(archive)
    begin(.dictionary, key: nil)
    for (key, value) in archive.top { add(value, key: key, depth: 1, of: &graph) }
    if var number = graph.nextDeferred() {
      begin(.dictionary, key: "$objects")
      while !isTooLarge {
        add(.uid(number), key: String(number), depth: 1, of: &graph)
        guard let next = graph.nextDeferred() else { break }
        number = next
      }
      end()
    }
    end()
  }

  private mutating func add(
    _ value: PlistValue, key: String?, depth: Int, of graph: inout ArchiveGraph
  ) {
    guard !isTooLarge else { return }
    switch graph.visit(value, depth: depth) {
    case .value(let value): add(value, key: key)
    case .text(let className, let text): begin(.objectText, key: key, text: "\(className) \(text)")
    case .missing(let number): begin(.missing, key: key, text: String(number))
    case .reference(let object):
      begin(.reference, key: key, text: "\(object.number) \(object.className ?? "object")")
    case .object(let object): add(object, key: key, depth: depth, of: &graph)
    }
  }

  private mutating func add(
    _ object: ArchivedObjects.Object, key: String?, depth: Int, of graph: inout ArchiveGraph
  ) {
    let number = graph.isShared(object) ? String(object.number) : ""
    switch (object.contents, object.className, number) {
    case (.fields, nil, ""): begin(.dictionary, key: key)
    case (.elements, nil, ""): begin(.array, key: key)
    default: begin(.object, key: key, text: "\(number) \(object.className ?? "object")")
    }
    switch object.contents {
    case .fields(let fields):
      for (key, value) in fields { add(value, key: key, depth: depth + 1, of: &graph) }
    case .elements(let elements):
      for element in elements { add(element, key: nil, depth: depth + 1, of: &graph) }
    case .entries(let entries):
      for (key, value) in entries {
        if case .value(.string(let key)) = graph.archive.node(for: key) {
          add(value, key: key, depth: depth + 1, of: &graph)
        } else {
          begin(.dictionary, key: nil)
          add(key, key: "key", depth: depth + 1, of: &graph)
          add(value, key: "value", depth: depth + 1, of: &graph)
          end()
        }
      }
    }
    end()
  }
}
