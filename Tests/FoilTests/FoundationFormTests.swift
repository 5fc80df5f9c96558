import Foil
import Foundation
import PropertyList
import TestSupport
import Testing

/// A type whose stored form is an object of Foundation.
private struct Boxed<Form: NSObject>: UserDefaultsSerializable {
  let form: Form
  init(_ form: Form) { self.form = form }
  var storedValue: Form { form }
  init?(storedValue: Form) { form = storedValue }
}

@Suite("Objects of Foundation as stored forms, with Foil alone")
struct FoundationFormTests {
  private let store = PreferencesStore.inMemory()

  private func check<Form: NSObject>(_ form: Form, default other: Form, is stored: PlistValue) {
    let store = PreferencesStore.inMemory()
    let wrapper = FoilDefaultStorage(
      wrappedValue: Boxed(other), key: "k", userDefaults: store)
    #expect(wrapper.wrappedValue.form == other)
    wrapper.wrappedValue = Boxed(form)
    #expect(store.plistValue(forKey: "k") == stored)
    #expect(wrapper.wrappedValue.form == form)
    let list = FoilDefaultStorageOptional<[Boxed<Form>]>(key: "l", userDefaults: store)
    list.wrappedValue = [Boxed(form), Boxed(form)]
    #expect(store.plistValue(forKey: "l") == [stored, stored])
    #expect(list.wrappedValue?.map(\.form) == [form, form])
  }

  @Test("NSString, NSNumber, NSArray, NSDictionary, NSData and NSDate are stored and read")
  func forms() {
    check("x" as NSString, default: "", is: "x")
    check(NSNumber(value: 5), default: 0, is: 5)
    check(NSNumber(value: true), default: false, is: true)
    check(NSNumber(value: 1.5), default: 0, is: 1.5)
    check([1, "a", [true]] as NSArray, default: [], is: [1, "a", [true]])
    check(["a": ["b": [1, 2]]] as NSDictionary, default: [:], is: ["a": ["b": [1, 2]]])
    check(NSData(data: Data([1])), default: NSData(), is: .data(Data([1])))
    let date = Date(timeIntervalSinceReferenceDate: 5)
    check(date as NSDate, default: Date.distantPast as NSDate, is: .date(date))
  }

  @Test("What JSONSerialization gives is stored")
  func json() throws {
    let text = #"{"a": [1, 1.5, true, "x", {"b": 18446744073709551615}]}"#
    store.set(try JSONSerialization.jsonObject(with: Data(text.utf8)), forKey: "json")
    #expect(
      store.plistValue(forKey: "json")
        == ["a": [1, 1.5, true, "x", ["b": .unsignedInteger(.max)]]])
  }

  @Test("The notification of changes is there")
  func notification() {
    let changes = Recorder<String>()
    let token = NotificationCenter.default.addObserver(
      forName: PreferencesStore.didChangeNotification, object: store, queue: nil
    ) { _ in changes.record("changed") }
    defer { NotificationCenter.default.removeObserver(token) }
    store.set(1, forKey: "n")
    #expect(changes.all == ["changed"])
  }

  @Test("The error of a stored form names the place in it")
  func errors() {
    struct Loose: UserDefaultsSerializable {
      var content: Any
      init(content: Any) { self.content = content }
      var storedValue: [String: Any] { ["people": [1, content]] }
      init?(storedValue: [String: Any]) { content = 0 }
    }
    let log = ErrorLog()
    let wrapper = FoilDefaultStorageOptional<Loose>(key: log.key, userDefaults: store)
    wrapper.wrappedValue = Loose(content: UUID())
    wrapper.wrappedValue = Loose(content: NSNull())
    #expect(
      log.messages == [
        "cannot be stored: a value of type UUID cannot be stored; store it as data or a string, or "
          + "conform its type to PlistValueConvertible (at people.1)",
        "cannot be stored: a value of type null cannot be stored; leave it out (at people.1)",
      ])
  }
}
