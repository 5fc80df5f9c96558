import Foundation
import PreferencesSync
import Testing

@testable import EtcdStore

@Suite("Updates are made of the answers of a watch")
struct UpdateAssemblerTests {
  private let endpoint = Endpoint("http://127.0.0.1:1")!

  /// An answer in JSON with events, each a key, a value or nil for a removal, and a revision.
  private func answer(
    _ events: [(String, String?, Int)], revision: Int = 0, isFragment: Bool = false
  ) throws -> WatchAnswer.Body {
    let events = events.map { key, value, revision in
      let name = Data("p/\(key)".utf8).base64EncodedString()
      let value = value.map { ",\"value\":\"\(Data($0.utf8).base64EncodedString())\"" } ?? ""
      let type = value.isEmpty ? "\"type\":\"DELETE\"," : ""
      return "{\(type)\"kv\":{\"key\":\"\(name)\",\"mod_revision\":\"\(revision)\"\(value)}}"
    }
    let text = """
      {"result":{"header":{"revision":"\(revision)"},"fragment":\(isFragment),\
      "events":[\(events.joined(separator: ","))]}}
      """
    return try #require(GatewayCoding.answer(Data(text.utf8), as: WatchAnswer.self)?.result)
  }

  private func assembler(after revision: Int64, limit: Int = 1 << 20) -> UpdateAssembler {
    var options = EtcdStore.Options(endpoints: [])
    options.largestAnswer = limit
    return UpdateAssembler(KeySpace(prefix: "p/"), after: revision, options)
  }

  private func entry(_ key: String, _ value: String, _ revision: Int64) -> RemoteEntry {
    RemoteEntry(key: key, data: Data(value.utf8), revision: revision)
  }

  @Test("Of several changes of a key the last counts")
  func latest() throws {
    var assembler = assembler(after: 1)
    let update = try assembler.update(
      answer([("a", "1", 2), ("b", "1", 2), ("a", nil, 3), ("b", nil, 4), ("b", "2", 5)]),
      at: endpoint)
    #expect(
      update == RemoteUpdate(entries: [entry("b", "2", 5)], removedKeys: ["a"], revision: 5))
    #expect(assembler.revision == 5)
  }

  @Test("The last revision of a divided answer waits for the rest")
  func fragments() throws {
    var assembler = assembler(after: 1)
    #expect(try assembler.update(answer([("a", "1", 2)], isFragment: true), at: endpoint) == nil)
    #expect(
      try assembler.update(answer([("b", "1", 2), ("c", "1", 3)], isFragment: true), at: endpoint)
        == RemoteUpdate(entries: [entry("a", "1", 2), entry("b", "1", 2)], revision: 2))
    #expect(
      try assembler.update(answer([("d", "1", 3)]), at: endpoint)
        == RemoteUpdate(entries: [entry("c", "1", 3), entry("d", "1", 3)], revision: 3))
  }

  @Test("What a lost connection has left incomplete comes again with the next")
  func loss() throws {
    var assembler = assembler(after: 1)
    #expect(try assembler.update(answer([("a", "1", 2)], isFragment: true), at: endpoint) == nil)
    assembler.discardIncomplete()
    #expect(assembler.revision == 1)
    #expect(
      try assembler.update(answer([("a", "1", 2), ("b", "1", 2)]), at: endpoint)
        == RemoteUpdate(entries: [entry("a", "1", 2), entry("b", "1", 2)], revision: 2))
  }

  @Test("Progress is told without changes, and foreign keys are left out")
  func progress() throws {
    var assembler = assembler(after: 1)
    #expect(
      try assembler.update(answer([], revision: 9), at: endpoint)
        == RemoteUpdate(entries: [], revision: 9))
    #expect(try assembler.update(answer([], revision: 9), at: endpoint) == nil)
    #expect(try assembler.update(answer([], revision: 8), at: endpoint) == nil)
    let foreign = """
      {"result":{"events":[{"kv":{"key":"cC//","mod_revision":"10"}}]}}
      """
    let body = try #require(
      GatewayCoding.answer(Data(foreign.utf8), as: WatchAnswer.self)?.result)
    #expect(
      try assembler.update(body, at: endpoint) == RemoteUpdate(entries: [], revision: 10))
  }

  @Test("Answers that etcd cannot give are refused")
  func impossible() throws {
    var assembler = assembler(after: 5)
    let body = try answer([("a", "1", 7), ("b", "1", 6)])
    #expect(throws: EtcdError.self) { try assembler.update(body, at: endpoint) }
  }

  @Test("A revision without end is refused")
  func endless() throws {
    var assembler = assembler(after: 1, limit: 10_000)
    let body = try answer([("a", String(repeating: "x", count: 5000), 2)], isFragment: true)
    #expect(throws: EtcdError(.tooLarge(limit: 10_000), at: endpoint)) {
      for _ in 0..<1000 { _ = try assembler.update(body, at: endpoint) }
    }
  }

  @Test(
    "An answer of more values than etcd sends is not read, however small they are",
    .timeLimit(.minutes(10)))
  func manyValues() {
    for value in ["{},", "0,", "[],"] {
      let text = #"{"kvs":["# + String(repeating: value, count: 30_000_000 / value.count) + "{}]}"
      let data = Data(text.utf8)
      #expect(GatewayCoding.answer(data, as: RangeAnswer.self) == nil)
    }
  }

  @Test("A revision is known by the number of entries and the newest")
  func marks() throws {
    func mark(_ count: Int64, _ entry: (String, String?, Int)?) throws -> RevisionMark {
      RevisionMark(
        count: count, newest: try entry.flatMap { try answer([$0]).events?.first?.kv })
    }
    var assembler = assembler(after: 1)
    assembler.mark = try mark(2, ("a", "1", 1))
    _ = try assembler.update(answer([("b", "2", 2), ("c", "3", 2)]), at: endpoint)
    let known = try #require(assembler.mark)
    #expect(try known.agrees(with: mark(2, ("b", "2", 2))))
    #expect(try known.agrees(with: mark(2, ("c", "3", 2))))
    #expect(try !known.agrees(with: mark(2, ("c", "x", 2))))
    #expect(try !known.agrees(with: mark(3, ("c", "3", 2))))
    #expect(try !known.agrees(with: mark(2, ("a", "1", 1))))
    _ = try assembler.update(answer([("b", nil, 3), ("c", nil, 3)]), at: endpoint)
    let empty = try #require(assembler.mark)
    #expect(try empty.agrees(with: mark(0, nil)))
    #expect(try !empty.agrees(with: mark(0, ("a", "1", 1))))
  }

  @Test("The range of keys ends after the last one with the prefix")
  func range() {
    #expect(KeySpace(prefix: "larder/").end == Data("larder0".utf8))
    #expect(KeySpace(prefix: "").start == Data([0]))
    #expect(KeySpace(prefix: "").end == Data([0]))
    #expect(KeySpace(prefix: "a").key(of: Data("ab".utf8)) == "b")
    #expect(KeySpace(prefix: "a").key(of: Data("b".utf8)) == nil)
    #expect(KeySpace(prefix: "a").key(of: Data([0x61, 0xFF])) == nil)
  }
}

extension UpdateAssembler {
  /// Adds an answer, and returns the update that it completes, if it does.
  fileprivate mutating func update(
    _ answer: WatchAnswer.Body, at endpoint: Endpoint
  ) throws -> RemoteUpdate? {
    try add(answer, at: endpoint)
    return take()
  }
}
