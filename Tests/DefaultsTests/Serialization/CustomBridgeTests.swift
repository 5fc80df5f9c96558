import Defaults
import Foundation
import PropertyList
import Testing

@Suite("Types with a custom bridge")
struct CustomBridgeTests {
  struct Account: Hashable, Defaults.Serializable {
    var name: String
    var age: String
    static let bridge = AccountBridge()
  }

  struct AccountBridge: Defaults.Bridge {
    typealias Value = Account
    typealias Serializable = [String: String]

    func serialize(_ value: Value?) -> Serializable? {
      guard let value, value.name != "nobody" else { return nil }
      return ["name": value.name, "age": value.age]
    }

    func deserialize(_ object: Serializable?) -> Value? {
      guard let name = object?["name"], let age = object?["age"] else { return nil }
      return Account(name: name, age: age)
    }
  }

  /// Stored as an account, which is bridged itself.
  struct Member: Hashable, Defaults.Serializable {
    var account: Account
    static let bridge = MemberBridge()
  }

  struct MemberBridge: Defaults.Bridge {
    func serialize(_ value: Member?) -> [Account]? { value.map { [$0.account] } }
    func deserialize(_ object: [Account]?) -> Member? { object?.first.map(Member.init) }
  }

  /// Stored as a Codable structure of names.
  struct Team: Hashable, Defaults.Serializable {
    var members: [String: Set<Member>]
    var home: URL
    static let bridge = TeamBridge()
  }

  struct TeamBridge: Defaults.Bridge {
    struct Stored: Codable, Hashable, Defaults.Serializable {
      var names: [String]
      var home: URL
    }

    func serialize(_ value: Team?) -> Stored? {
      value.map {
        Stored(names: $0.members.values.flatMap { $0 }.map(\.account.name).sorted(), home: $0.home)
      }
    }

    func deserialize(_ object: Stored?) -> Team? {
      object.map { stored in
        let members = stored.names.map { Member(account: Account(name: $0, age: "?")) }
        return Team(members: ["all": Set(members)], home: stored.home)
      }
    }
  }

  /// Stored as an untyped dictionary.
  struct Loose: Hashable, Defaults.Serializable {
    var count: Int
    static let bridge = LooseBridge()
  }

  struct LooseBridge: Defaults.Bridge {
    func serialize(_ value: Loose?) -> [String: Any]? {
      value.map { ["count": $0.count, "extra": [true, "x"] as [Any]] }
    }
    func deserialize(_ object: [String: Any]?) -> Loose? {
      (object?["count"] as? Int).map(Loose.init)
    }
  }

  private let ada = Account(name: "Ada", age: "36")

  /// Stored as an array of the same type.
  struct Node: Equatable, Defaults.Serializable {
    var children: [Node] = []
    static let bridge = NodeBridge()
  }

  struct NodeBridge: Defaults.Bridge {
    func serialize(_ value: Node?) -> [Node]? { value?.children }
    func deserialize(_ object: [Node]?) -> Node? { object.map { Node(children: $0) } }
  }

  @Test("A bridge's form may contain its own type")
  func selfContaining() {
    let fixture = KeyFixture()
    let tree = Node(children: [Node(), Node(children: [Node()])])
    #expect(fixture.keeps(tree, default: Node()))
    #expect(fixture.stored == [[], [[]]])
  }

  @Test("A type with a bridge is stored in the bridge's form")
  func bridge() {
    let fixture = KeyFixture()
    #expect(fixture.keeps(ada, default: Account(name: "Hello", age: "24")))
    #expect(fixture.stored == ["age": "36", "name": "Ada"])
    #expect(Account.bridge.deserialize(["name": "x", "age": "1"]) == Account(name: "x", age: "1"))
  }

  @Test("Containers and optionals can hold a type with a bridge")
  func containers() {
    let fixture = KeyFixture()
    let form: PlistValue = ["age": "36", "name": "Ada"]
    #expect(fixture.keeps([ada], default: []) && fixture.stored == [form])
    #expect(fixture.keeps(Set([ada]), default: []) && fixture.stored == [form])
    #expect(fixture.keeps(["user": ada], default: [:]) && fixture.stored == ["user": form])
    #expect(fixture.keeps(Account?.some(ada), default: nil) && fixture.stored == form)
    #expect(Defaults[fixture.key(default: [Account]())] == [])
  }

  @Test("A bridge's form may be bridged itself")
  func recursion() {
    let fixture = KeyFixture()
    let member = Member(account: ada)
    #expect(fixture.keeps(member, default: Member(account: Account(name: "", age: ""))))
    #expect(fixture.stored == [["age": "36", "name": "Ada"]])
    let team = Team(
      members: ["all": [Member(account: Account(name: "Ada", age: "?"))]],
      home: URL(string: "https://example.org")!)
    #expect(fixture.keeps([team], default: []))
    #expect(fixture.stored == [#"{"home":"https:\/\/example.org","names":["Ada"]}"#])
  }

  @Test("A bridge's form may be untyped")
  func untyped() {
    let fixture = KeyFixture()
    #expect(fixture.keeps(Loose(count: 3), default: Loose(count: 0)))
    #expect(fixture.stored == ["count": 3, "extra": [true, "x"]])
  }

  @Test("A value that a bridge cannot deserialize reads as the default and is reported once")
  func badData() {
    let fixture = KeyFixture(stored: ["name": "Ada"])
    let key = fixture.key(default: Account(name: "default", age: ""))
    #expect(Defaults[key].name == "default")
    #expect(Defaults[key].name == "default")
    #expect(fixture.reports == ["cannot be read: expected a value of type Account"])
    #expect(fixture.stored == ["name": "Ada"])
  }

  @Test("A value that a bridge cannot serialize is reported and keeps the old one")
  func unstorable() {
    let fixture = KeyFixture()
    let key = fixture.key(default: ada)
    Defaults[key] = Account(name: "Grace", age: "85")
    Defaults[key] = Account(name: "nobody", age: "0")
    #expect(Defaults[key].name == "Grace")
    #expect(
      fixture.reports == [
        "cannot be stored: a value of type Account cannot be stored; its bridge serializes it as nil"
      ])
  }
}
