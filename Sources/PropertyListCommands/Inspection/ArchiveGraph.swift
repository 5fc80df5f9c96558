internal import CommandLineInterface
internal import InspectionPage
internal import PropertyList

/// The objects of a keyed archive, each once, in the order in which they are reached from the top.
struct ArchiveGraph {
  let archive: ArchivedObjects
  private var visited: Set<UInt32> = []
  /// The objects that were too deep where they were first reached, and that must still be shown.
  private var deferred: [UInt32] = []
  /// The number of deferred objects that have been shown.
  private var shownCount = 0
  /// The objects that have been deferred at any time.
  private var isDeferred: Set<UInt32> = []
  private let referenceCounts: [UInt32: Int]

  init(_ archive: ArchivedObjects) {
    self.archive = archive
    referenceCounts = archive.referenceCounts
  }

  /// Objects below this level are deferred, so that a long chain of objects does not become a deep
  /// tree.
  static let maximumDepth = 64

  /// How a value of the archive is shown at one of its places.
  enum Step {
    case value(PlistValue)
    case text(className: String, String)
    case missing(UInt32)
    /// An object that is shown here.
    case object(ArchivedObjects.Object)
    /// An object that is shown elsewhere.
    case reference(ArchivedObjects.Object)
  }

  mutating func visit(_ value: PlistValue, depth: Int) -> Step {
    switch archive.node(for: value) {
    case .value(let value): return .value(value)
    case .text(let className, let text): return .text(className: className, text)
    case .missing(let number): return .missing(number)
    case .container(let container): return .object(container)
    case .object(let object):
      guard !visited.contains(object.number) else { return .reference(object) }
      guard depth <= Self.maximumDepth else {
        if isDeferred.insert(object.number).inserted { deferred.append(object.number) }
        return .reference(object)
      }
      visited.insert(object.number)
      return .object(object)
    }
  }

  /// Whether several places refer to an object, or it is shown away from its place.
  func isShared(_ object: ArchivedObjects.Object) -> Bool {
    object.number > 0
      && (referenceCounts[object.number, default: 0] > 1 || isDeferred.contains(object.number))
  }

  /// Returns the next object to show at the end; nil if none is left.
  mutating func nextDeferred() -> UInt32? {
    while shownCount < deferred.count {
      shownCount += 1
      let number = deferred[shownCount - 1]
      if !visited.contains(number) { return number }
    }
    return nil
  }
}

extension ArchiveGraph {
  /// The graph as a value that JSON can represent. Dates, data and so on are written as in
  /// ``TypedJSON``. An object is a dictionary of its fields, with the name of its class as
  /// `$class`, and a number as `$id` if there are references to it, which are `{"$ref": number}`.
  /// Collections that nothing else refers to are arrays and dictionaries. Objects that are too deep
  /// are under `$objects`.
  static func value(of archive: ArchivedObjects) -> PlistValue {
    var graph = ArchiveGraph(archive)
    var top = PlistDictionary()
    for (key, value) in archive.top { top[key] = graph.json(value, depth: 1) }
    var deferred = PlistDictionary()
    while let number = graph.nextDeferred() {
      deferred[String(number)] = graph.json(.uid(number), depth: 1)
    }
    guard !deferred.isEmpty else { return .dictionary(top) }
    return ["$top": .dictionary(top), "$objects": .dictionary(deferred)]
  }

  private mutating func json(_ value: PlistValue, depth: Int) -> PlistValue {
    switch visit(value, depth: depth) {
    case .value(let value): return TypedJSON.encode(value)
    case .text(_, let text): return .string(text)
    case .missing(let number): return ["$missing": .integer(Int64(number))]
    case .reference(let object): return ["$ref": .integer(Int64(object.number))]
    case .object(let object): return json(object, depth: depth)
    }
  }

  private mutating func json(_ object: ArchivedObjects.Object, depth: Int) -> PlistValue {
    var result = PlistDictionary()
    if let className = object.className { result["$class"] = .string(className) }
    if isShared(object) { result["$id"] = .integer(Int64(object.number)) }
    switch object.contents {
    case .fields(let fields):
      for (key, value) in fields { result[key] = json(value, depth: depth + 1) }
    case .elements(let elements):
      let elements = PlistValue.array(elements.map { json($0, depth: depth + 1) })
      guard isShared(object) else { return elements }
      result["$elements"] = elements
    case .entries(let entries):
      var dictionary = PlistDictionary()
      for (key, _) in entries {
        if case .value(.string(let key)) = archive.node(for: key) { dictionary[key] = .null }
      }
      guard dictionary.count == entries.count else {
        result["$entries"] = .array(
          entries.map {
            ["key": json($0.key, depth: depth + 1), "value": json($0.value, depth: depth + 1)]
          })
        return .dictionary(result)
      }
      for (key, value) in entries {
        guard case .value(.string(let key)) = archive.node(for: key) else { continue }
        dictionary[key] = json(value, depth: depth + 1)
      }
      guard isShared(object) else { return .dictionary(dictionary) }
      result["$entries"] = .dictionary(dictionary)
    }
    return .dictionary(result)
  }
}

extension InspectedTree {
  /// The objects of a keyed archive, each where it is first reached; objects that are too deep
  /// there are under `$objects`.
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
