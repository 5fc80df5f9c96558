import PropertyList
import Testing

@Suite("A walk through a value")
struct PlistTreeWalkTests {
  /// A line for each event: its place, then its value.
  private func lines(
    _ value: PlistValue, keyOrder: PlistWriteOptions.KeyOrder = .sorted
  ) -> [String] {
    var walk = PlistTreeWalk(value, keyOrder: keyOrder)
    var lines: [String] = []
    while let event = walk.next() {
      let place = "\(walk.depth) \(walk.keyPath) \(walk.index)\(walk.isLast ? " last" : "")"
      switch event {
      case .open(let container): lines.append("\(place): open \(container.kind)")
      case .leaf(let leaf): lines.append("\(place): \(leaf)")
      case .close(let kind, let count): lines.append("\(place): close \(kind) of \(count)")
      }
    }
    if walk.next() != nil { Issue.record("an event after the end") }
    return lines
  }

  @Test("opens and closes containers around their values, each with its place")
  func events() {
    #expect(
      lines(["b": [1, .set([])], "a": "x"]) == [
        "0  0 last: open dictionary", "1 a 0: x", "1 b 1 last: open array", "2 b.0 0: 1",
        "2 b.1 1 last: open set", "2 b.1 1 last: close set of 0", "1 b 1 last: close array of 2",
        "0  0 last: close dictionary of 2",
      ])
    #expect(lines("leaf") == ["0  0 last: leaf"])
    #expect(lines([]) == ["0  0 last: open array", "0  0 last: close array of 0"])
  }

  @Test("keeps the order of the document on request")
  func documentOrder() {
    #expect(
      lines(["b": 1, "a": 2], keyOrder: .document) == [
        "0  0 last: open dictionary", "1 b 0: 1", "1 a 1 last: 2",
        "0  0 last: close dictionary of 2",
      ])
  }

  @Test("has the key and the kind of the container around a value")
  func surroundings() {
    var walk = PlistTreeWalk(["k": [1]], keyOrder: .sorted)
    var places: [String] = []
    while walk.next() != nil {
      places.append("\(walk.key ?? "-") in \(walk.containerKind.map { "\($0)" } ?? "-")")
    }
    #expect(
      places == ["- in -", "k in dictionary", "- in array", "k in dictionary", "- in -"])
  }
}
