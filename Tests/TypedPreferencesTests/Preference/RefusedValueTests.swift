import Preferences
import PropertyList
import TestSupport
import Testing

@testable import TypedPreferences

@Suite("A typed preference whose store refuses a value", .timeLimit(.minutes(5)))
struct RefusedValueTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path("k.plist") }

  init() throws {
    folder = try TemporaryFolder()
  }

  private func preference(isReadOnly: Bool = false) -> TypedPreference<[Int]> {
    var options = PreferencesStore.Options()
    options.arguments = []
    options.usesPrivateRegistrationDomain = true
    options.isReadOnly = isReadOnly
    options.valueCheck = { _, value in
      guard case .array(let ports) = value else { throw Refusal("not a port") }
      for port in ports {
        guard case .integer(0...65535) = port else { throw Refusal("not a port") }
      }
    }
    let store = PreferencesStore(fileAt: path, options: options)
    return TypedPreference("ports", in: store, coder: .standard()!, default: [-1])
  }

  @Test("A setter reports it as a change that the store refuses, and the next flush throws")
  func setting() throws {
    let preference = preference()
    let store = preference.reference.store
    let events = Recorder<PreferencesEvent>()
    let observation = PreferencesStore.onEvent { [path] event in
      if event.path == path { events.record(event) }
    }
    #expect(preference.value == [-1], "registered defaults are not checked")
    preference.set([80])
    preference.set([99_999])
    #expect(preference.value == [80])
    let error = PreferencesError.refusedChange(domain: path, key: "ports", reason: "not a port")
    #expect(events.all == [.refusedChange(domain: path, key: "ports", reason: error)])
    #expect(throws: error) { try store.flush() }
    preference.remove()
    #expect(preference.value == [-1])
    try store.flush()
    observation.cancel()
  }

  @Test(
    "A setter that throws says why",
    arguments: [(false, "refused by the program: not a port"), (true, "the store is read-only")])
  func throwing(isReadOnly: Bool, reason: String) throws {
    let preference = preference(isReadOnly: isReadOnly)
    let error = #expect(throws: TypedPreferenceError.self) { try preference.save([99_999]) }
    #expect("\(try #require(error))" == "\(path), ports: cannot be stored: \(reason)")
    #expect(preference.value == [-1])
    try preference.reference.store.flush()
  }
}
