import Defaults
import Foundation
import PropertyList
import TypedPreferences
import Testing

@Suite("Keys with values from the command line")
struct ArgumentTests {
  /// The value of a key whose argument is given on the command line.
  private func value<Value: Defaults.Serializable>(_ argument: String, default other: Value) throws
    -> Value
  {
    let fixture = try FileFixture()
    let store = try fixture.store(arguments: ["-k", argument])
    return try Defaults.Key<Value>("k", default: other, suite: store).load()
  }

  @Test("An argument is converted to the key's type, a stored string is not")
  func otherLayers() throws {
    let fixture = try FileFixture()
    let store = try fixture.store(arguments: ["-k", "(1, 2)"])
    let key = Defaults.Key<[Int]>("k", default: [], suite: store)
    #expect(Defaults[key] == [1, 2])
    store.set(["1", "2"], forKey: "k")
    store.removeVolatileDomain(forName: PreferencesStore.argumentDomain)
    #expect(Defaults[key] == [])
    #expect(throws: Defaults.Failure.self) { try key.load() }
  }

  @Test(
    "An argument is a Boolean for a Boolean key",
    arguments: [
      ("YES", true), ("true", true), ("1", true), ("on", true), ("NO", false), ("False", false),
      ("0", false), ("off", false),
    ])
  func booleans(argument: String, expected: Bool) throws {
    #expect(try value(argument, default: !expected) == expected)
    #expect(try value(argument, default: Bool?.none) == expected)
  }

  @Test("An argument is a number for a numeric key")
  func numbers() throws {
    #expect(try value("12", default: 0) == 12)
    #expect(try value("18446744073709551615", default: UInt64(0)) == .max)
    #expect(try value("255", default: UInt8(0)) == 255)
    #expect(try value("2.5", default: 0.0) == 2.5)
    #expect(try value("2", default: 0.0) == 2)
    #expect(try value("1e3", default: Float(0)) == 1000)
    #expect(try value("3.0", default: 0) == 3)
  }

  @Test("Words that only Swift takes for numbers are none", arguments: ["inf", "nan", "0x1p3"])
  func otherNumbers(argument: String) {
    #expect(throws: Defaults.Failure.self) { try value(argument, default: 0.0) }
  }

  @Test("An argument is a string for a string key, whatever it looks like")
  func texts() throws {
    #expect(try value("YES", default: "") == "YES")
    #expect(try value("12", default: "") == "12")
    #expect(try value("https://example.org", default: URL?.none)?.host == "example.org")
  }

  @Test("Elements of an array or dictionary argument are converted, too")
  func containers() throws {
    #expect(try value("(80, 443)", default: [Int]()) == [80, 443])
    #expect(try value("(80, 443)", default: [String]()) == ["80", "443"])
    #expect(try value("(1, 0.5)", default: Set<Double>()) == [1, 0.5])
    #expect(try value("{ a = YES; b = 0; }", default: [String: Bool]()) == ["a": true, "b": false])
    #expect(try value("(1, 5)", default: 0..<1) == 1..<5)
  }

  @Test("A data argument is written in OpenStep syntax")
  func data() throws {
    #expect(try value("<00ff>", default: Data()) == Data([0, 255]))
  }

  @Test("An enumeration is given by its raw value, and a Codable value by its JSON")
  func coded() throws {
    #expect(try value("2", default: Level.low) == .high)
    #expect(try value(#"{"x":1,"y":2}"#, default: Point(x: 0, y: 0)) == Point(x: 1, y: 2))
    #expect(try value("{ x = 1; y = 2; }", default: Point(x: 0, y: 0)) == Point(x: 1, y: 2))
  }

  @Test("An argument that cannot be converted is reported, and the default is read")
  func mismatch() throws {
    _ = FailureLog.shared
    let name = "argument-" + UUID().uuidString
    let store = try FileFixture().store(arguments: ["-" + name, "many"])
    #expect(Defaults[Defaults.Key<Int>(name, default: 3, suite: store)] == 3)
    #expect(
      FailureLog.shared.failures(of: name).map(\.description) == [
        "org.example.keys, \(name): cannot be read from the command line: expected an integer, found a string"
      ])
  }

  enum Level: Int, Defaults.Serializable {
    case low = 1
    case high = 2
  }

  struct Point: Codable, Hashable, Defaults.Serializable {
    var x: Int
    var y: Int
  }
}
