import Defaults
import Foundation
import PropertyList
import Testing

final class CodableNote: NSObject, NSSecureCoding, Codable, Defaults.Serializable {
  class var supportsSecureCoding: Bool { true }
  let text: String
  init(_ text: String) { self.text = text }
  init?(coder: NSCoder) { text = "" }
  func encode(with coder: NSCoder) {}
}

final class PreferredNote: NSObject, Codable, Defaults.Serializable, Defaults.PreferNSSecureCoding {
  class var supportsSecureCoding: Bool { true }
  let text: String
  init(_ text: String) { self.text = text }
  init?(coder: NSCoder) {
    text = coder.decodeObject(of: NSString.self, forKey: "text") as String? ?? ""
  }
  func encode(with coder: NSCoder) { coder.encode(text as NSString, forKey: "text") }
}

final class InsecureNote: NSObject, NSSecureCoding, Defaults.Serializable {
  class var supportsSecureCoding: Bool { false }
  override init() {}
  init?(coder: NSCoder) {}
  func encode(with coder: NSCoder) {}
}

private final class PrivateNote: NSObject, NSSecureCoding, Defaults.Serializable {
  class var supportsSecureCoding: Bool { true }
  override init() {}
  init?(coder: NSCoder) {}
  func encode(with coder: NSCoder) {}
}

private class PrivateParent: ArchivedNote {}
final class PublicChild: ArchivedNote {}

@Suite("Classes with secure coding")
struct KeyedArchiveTests {
  final class NestedNote: NSObject, NSSecureCoding, Defaults.Serializable {
    class var supportsSecureCoding: Bool { true }
    override init() {}
    init?(coder: NSCoder) {}
    func encode(with coder: NSCoder) {}
  }

  @Test("A class with secure coding is stored as a keyed archive, also in containers")
  func roundTrip() throws {
    let fixture = KeyFixture()
    let note = ArchivedNote(
      "text", attachment: ["a": [1, 2.5, Date.distantPast]] as [String: [Any]])
    let key = fixture.key(default: ArchivedNote("default"))
    Defaults[key] = note
    #expect(fixture.stored?.kind == .data)
    #expect(Defaults[key].text == "text")
    #expect(Defaults[key].attachment as? NSDictionary == note.attachment as? NSDictionary)
    #expect(Defaults[key] !== Defaults[key])
    #expect(fixture.keeps(["a": [note]], default: [:]))
    #expect(fixture.keeps(Set([note]), default: []))
    #expect(fixture.failures == [])
  }

  @Test("Foundation and Larder read each other's archives")
  func foundation() throws {
    let archive = try NSKeyedArchiver.archivedData(
      withRootObject: ArchivedNote("old"), requiringSecureCoding: true)
    let fixture = KeyFixture(stored: .data(archive))
    #expect(Defaults[fixture.key(default: ArchivedNote(""))].text == "old")
    Defaults[fixture.key(default: ArchivedNote(""))] = ArchivedNote("new")
    guard case .data(let data)? = fixture.stored else {
      Issue.record("no data")
      return
    }
    let note = try NSKeyedUnarchiver.unarchivedObject(ofClass: ArchivedNote.self, from: data)
    #expect(note?.text == "new")
  }

  @Test("Codable takes precedence over secure coding, unless PreferNSSecureCoding is adopted")
  func preference() {
    let fixture = KeyFixture()
    Defaults[fixture.key(default: CodableNote(""))] = CodableNote("x")
    #expect(fixture.stored == #"{"text":"x"}"#)
    let preferred = fixture.key(default: PreferredNote(""))
    Defaults[preferred] = PreferredNote("y")
    #expect(fixture.stored?.kind == .data)
    #expect(Defaults[preferred].text == "y")
  }

  @Test("A subclass is read as the same subclass")
  func subclasses() {
    let fixture = KeyFixture()
    let key = fixture.key(default: ArchivedNote(""))
    Defaults[key] = PublicChild("child")
    #expect(Defaults[key] is PublicChild)
  }

  @Test("Classes that would crash the archiver are reported, also within other objects")
  func classesWithoutNames() {
    func reports<Value: Defaults.Serializable>(_ value: Value) -> [String] {
      let fixture = KeyFixture(stored: "old")
      let key = Defaults.Key<Value?>(fixture.name, suite: fixture.store)
      Defaults[key] = value
      #expect(fixture.stored == "old")
      return fixture.reports
    }
    func text(_ type: String) -> [String] {
      [
        "cannot be stored: a value of type \(type) cannot be stored; archives accept only classes "
          + "with secure coding that are not private, nested or generic"
      ]
    }
    #expect(reports(PrivateNote()) == text("PrivateNote"))
    #expect(reports(NestedNote()) == text("NestedNote"))
    #expect(reports(InsecureNote()) == text("InsecureNote"))
    #expect(reports(PrivateParent("x") as ArchivedNote) == text("PrivateParent"))
    #expect(reports(ArchivedNote("x", attachment: PrivateNote())) == text("PrivateNote"))
    #expect(reports(ArchivedNote("x", attachment: [1, PrivateNote()])) == text("PrivateNote"))
    #expect(reports(ArchivedNote("x", attachment: NSObject())) == text("NSObject"))
    struct Plain {}
    #expect(reports(ArchivedNote("x", attachment: Plain())) == text("Plain"))
  }

  @Test("Objects with reference cycles are not stored")
  func circle() {
    let fixture = KeyFixture(stored: "old")
    let note = ArchivedNote("x")
    note.attachment = [note]
    Defaults[fixture.key(default: ArchivedNote?.none)] = note
    note.attachment = nil
    #expect(fixture.stored == "old")
    #expect(fixture.reports == ["cannot be stored: expected an archive without reference cycles"])
  }
}
