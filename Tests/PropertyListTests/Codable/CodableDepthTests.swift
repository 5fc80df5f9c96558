import PropertyList
import TestSupport
import Testing

@Suite("Nested coded values")
struct CodableDepthTests {
  /// A list of lists.
  final class List: Codable {
    var rest: [List]

    init(_ rest: [List]) { self.rest = rest }

    convenience init(depth: Int) {
      self.init([])
      for _ in 1..<depth { rest = [List(rest)] }
    }

    init(from decoder: any Decoder) throws {
      rest = try [List](from: decoder)
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.unkeyedContainer()
      for list in rest { try container.encode(list) }
    }

    var depth: Int {
      var depth = 1
      var list = self
      while let next = list.rest.first {
        depth += 1
        list = next
      }
      return depth
    }
  }

  /// A recursive document type, as many programs have one.
  indirect enum Document: Codable, Equatable {
    case list([Document])
    case number(Int)

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let number = try? container.decode(Int.self) {
        self = .number(number)
      } else {
        self = .list(try container.decode([Document].self))
      }
    }

    init(depth: Int) {
      self = .number(1)
      for _ in 0..<depth { self = .list([self]) }
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      switch self {
      case .list(let documents): try container.encode(documents)
      case .number(let number): try container.encode(number)
      }
    }
  }

  /// An object that encodes itself as its single value, or in a dictionary or array.
  final class Loop: Encodable {
    enum Container: CaseIterable {
      case single, keyed, unkeyed, nested
    }

    let container: Container

    init(_ container: Container) { self.container = container }

    func encode(to encoder: any Encoder) throws {
      switch container {
      case .single:
        var container = encoder.singleValueContainer()
        try container.encode(self)
      case .keyed:
        var container = encoder.container(keyedBy: TextKey.self)
        try container.encode(self, forKey: "loop")
      case .unkeyed:
        var container = encoder.unkeyedContainer()
        try container.encode(self)
      case .nested:
        var container = encoder.container(keyedBy: TextKey.self)
        var nested = container.nestedUnkeyedContainer(forKey: "nested")
        try nested.encode(self)
      }
    }
  }

  static let tooDeep = "Containers or values are nested deeper than 512 levels."

  @Test("are coded 512 deep, 513 are refused", arguments: CodingMedium.allCases)
  func depth(medium: CodingMedium) throws {
    onStack { () throws -> Void in
      #expect(try medium.roundTrip(List(depth: 512)).depth == 512)
      let path = Array(repeating: "Index 0", count: 512).joined(separator: ", ")
      #expect(encodingError(List(depth: 513)) == "[\(path)] \(Self.tooDeep)")
      #expect(encodingError(List(depth: 600)) == "[\(path)] \(Self.tooDeep)")
      let document = Document(depth: 512)
      #expect(try medium.roundTrip(document) == document)
    }
  }

  @Test("of a property list are decoded 512 deep", arguments: CodingMedium.allCases)
  func decoding(medium: CodingMedium) throws {
    onStack { () throws -> Void in
      var value: PlistValue = []
      for _ in 1..<512 { value = [value] }
      #expect(try medium.decode(List.self, from: value).depth == 512)
      #expect(try medium.decode(PlistValue.self, from: value) == value)
    }
  }

  @Test("of a property list are not decoded 513 deep")
  func tooDeepDecoding() throws {
    onStack { () throws -> Void in
      var value: PlistValue = []
      for _ in 1...512 { value = [value] }
      let path = Array(repeating: "Index 0", count: 512).joined(separator: ", ")
      #expect(
        decodingError(List.self, value, media: [.value]) == "corrupted [\(path)] \(Self.tooDeep)")
    }
  }

  @Test("that never end are refused", arguments: Loop.Container.allCases)
  func loops(container: Loop.Container) throws {
    onStack { () throws -> Void in
      let error = encodingError(Loop(container))
      #expect(error?.hasSuffix("] " + Self.tooDeep) == true)
      if container == .single { #expect(error == "[] " + Self.tooDeep) }
    }
  }

  @Test("are refused even if the error is ignored or nothing throws")
  func swallowed() throws {
    onStack { () throws -> Void in
      let limit = PlistEncoder().options.limits.maximumDepth
      let chain = Encoding { encoder in
        var container = encoder.unkeyedContainer()
        for _ in 0..<100_000 { container = container.nestedUnkeyedContainer() }
        try? container.encode(1)
      }
      let path = Array(repeating: "Index 0", count: limit).joined(separator: ", ")
      #expect(encodingError(chain) == "[\(path)] \(Self.tooDeep)")
    }
  }

  @Test("are coded as deep as the options say")
  func limits() throws {
    var encoder = PlistEncoder()
    encoder.options.limits.maximumDepth = 2
    #expect(try encoder.encodeToValue([[1]]) == [[1]])
    #expect(
      encodingError([[[1]]], encoder: encoder)
        == "[Index 0, Index 0] Containers or values are nested deeper than 2 levels.")
    #expect(
      encodingError([["a": Empty()]], encoder: encoder)
        == "[Index 0, a] Containers or values are nested deeper than 2 levels.")
    #expect(
      encodingError([[Encoding { _ in }]], encoder: encoder)
        == "[Index 0, Index 0] Containers or values are nested deeper than 2 levels.")
    var decoder = PlistDecoder()
    decoder.options.limits.maximumDepth = 2
    #expect(try decoder.decode([[Int]].self, from: [[1]]) == [[1]])
    #expect(
      decodingError([[[Int]]].self, [[[1]]], decoder: decoder, media: [.value])
        == "corrupted [Index 0, Index 0] Containers or values are nested deeper than 2 levels.")
  }

  /// Runs the closure on a thread with a stack of 2 MiB, a quarter of the default on Linux.
  private func onStack(_ body: @escaping @Sendable () throws -> Void) {
    let errors = Recorder<String?>()
    let thread = TestThread(stackSize: 2 << 20) { errors.record(errorText(body)) }
    #expect(thread.join())
    #expect(errors.all == [nil])
  }
}
