import Defaults
import Foundation
import PropertyList
import Testing
import Threading

@Suite("A stored Codable value that lacks properties")
struct MergedValueTests {
  private struct Window: Codable, Defaults.Serializable {
    var sizes: [String: Int]
    var title: String
  }

  @Test("Missing properties come from the default, but no entries of a dictionary")
  func dictionaries() {
    let fixture = KeyFixture(stored: #"{"sizes":{"a":1}}"#)
    let window = Defaults[fixture.key(default: Window(sizes: ["b": 2], title: "new"))]
    #expect(window.sizes == ["a": 1])
    #expect(window.title == "new")
  }

  /// A value that counts its decodings.
  private struct Counted: Codable, Defaults.Serializable {
    static let decodings = Lock(0)
    var a: Int
    var b: Int

    init(a: Int, b: Int) {
      self.a = a
      self.b = b
    }

    init(from decoder: any Decoder) throws {
      Self.decodings.withLock { $0 += 1 }
      let container = try decoder.container(keyedBy: CodingKeys.self)
      a = try container.decode(Int.self, forKey: .a)
      b = try container.decode(Int.self, forKey: .b)
    }
  }

  @Test("A merged value is decoded once, and is the old value of the change that replaces it")
  func once() {
    let fixture = KeyFixture(stored: #"{"a":1}"#)
    let key = fixture.key(default: Counted(a: 0, b: 9))
    #expect(Defaults[key].a == 1)
    let decodings = Counted.decodings.withLock { $0 }
    for _ in 0..<10 { #expect(Defaults[key].a == 1) }
    #expect(Counted.decodings.withLock { $0 } == decodings)
    #expect(fixture.failures.count == 1)

    let old = Lock<[Int]>([])
    let observation = Defaults.observe(key, options: []) { change in
      old.withLock { $0.append(change.oldValue.a) }
    }
    key.reset()
    #expect(old.withLock { $0 } == [1])
    observation.invalidate()
  }

  private final class Box: Codable, Defaults.Serializable {
    var number = 1
  }

  @Test("Each read of a default object returns an instance of its own")
  func objects() {
    let fixture = KeyFixture()
    let key = fixture.key(default: Box())
    Defaults[key].number = 5
    #expect(key.defaultValue.number == 1)
    #expect(key.defaultValue !== key.defaultValue)
  }
}
