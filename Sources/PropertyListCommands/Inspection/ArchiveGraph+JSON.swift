internal import CommandLineInterface
internal import PropertyList

extension ArchiveGraph {
  /// The graph as a value that JSON can represent; dates, data and the like as in ``TypedJSON``.
  ///
  /// An object is a dictionary of its fields, with the name of its class as `$class`, and a number
  /// as `$id` if others refer to it: they are `{"$ref": number}`. Collections that nothing else
  /// refers to are arrays and dictionaries. Objects that are too deep are under `$objects`.
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
          entries.map { entry in
            [
              "key": json(entry.key, depth: depth + 1),
              "value": json(entry.value, depth: depth + 1),
            ]
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
