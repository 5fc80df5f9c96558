import Foundation
import Preferences
import PropertyList
import TestSupport
import Testing

@testable import TypedPreferences

/// What is printed of a value that cannot be read or stored: its key, kind and type, never itself.
@Suite("The event of a value that cannot be read or stored")
struct ValueFailureTests {
  private struct Account: Codable {
    enum Plan: String, Codable { case free }
    var plan: Plan
  }

  private func reasons<Value>(
    _ coder: PlistCoder<Value>, of stored: PlistValue, default value: Value
  ) -> [String] {
    let (key, store) = (UUID().uuidString, PreferencesStore.inMemory())
    let reasons = Recorder<String>()
    let observation = PreferencesStore.onEvent { event in
      if case .valueFailure("InMemory", key, let reason) = event { reasons.record(reason) }
    }
    nonisolated(unsafe) let value = value
    let preference = TypedPreference(key, in: store, coder: coder) { value }
    store.set(stored, forKey: key)
    for _ in 1...3 { _ = preference.value }
    observation.cancel()
    return reasons.all
  }

  @Test("Reading names the type that is wanted and the kind that is found")
  func reading() {
    #expect(
      reasons(Int.plistCoder, of: "hidden", default: 1)
        == ["cannot be read as Int: expected an integer, found a string"])
    #expect(
      reasons(UInt8.plistCoder, of: 1_000, default: UInt8(1))
        == ["cannot be read as UInt8: the number cannot be represented as UInt8"])
    #expect(
      reasons(URL.plistCoder, of: ["hidden"], default: URL(filePath: "/"))
        == ["cannot be read as URL: the stored array is not a URL"])
    #expect(
      reasons(
        [Int].plistCoder, of: [1, "hidden", ["hidden"]], default: [Int]())
        == [
          "cannot be read as Array<Int>: expected an integer, found a string (at 1)",
          "cannot be read as Array<Int>: expected an integer, found an array (at 2)",
        ])
  }

  @Test("The words of a decoder, which may quote a value, are left out")
  func decoding() {
    for stored in [#"{"plan":"hidden"}"#, ["plan": "hidden"], "hidden"] as [PlistValue] {
      let texts = reasons(.jsonText(), of: stored, default: Account(plan: .free))
      #expect(texts.count == 1)
      #expect(texts.allSatisfy { $0.hasPrefix("cannot be read as Account: the stored ") })
      #expect(texts.allSatisfy { !$0.contains("hidden") })
    }
  }

  private enum Theme: String, CaseIterable { case light, dark }

  @Test("Where the value is, if not in the domain itself, and what it may be are named")
  func layers() throws {
    let (folder, domain) = (try TemporaryFolder(), "org.example.\(UUID().uuidString)")
    try folder.makeFolder("system")
    try folder.write(
      Plist.write(["size": "large"], as: .xml), to: "system/\(domain).plist")
    var options = PreferencesStore.Options()
    options.locations = DomainLocations(within: folder.path)
    options.arguments = ["tool", "-theme", "dim"]
    options.environment = EnvironmentOptions(prefix: "APP_")
    options.environment?.variables = ["APP_LIMIT": "many"]
    let store = try PreferencesStore(domain: domain, options: options)
    let texts = Recorder<String>()
    let observation = PreferencesStore.onEvent { event in
      if case .valueFailure(domain, let key, let reason) = event {
        texts.record("\(key): \(reason)")
      }
    }
    defer { observation.cancel() }

    let theme = TypedPreference("theme", in: store, coder: .raw(String.plistCoder)) { Theme.light }
    #expect(theme.value == .light)
    #expect(TypedPreference("limit", in: store, coder: Int.plistCoder) { 1 }.value == 1)
    #expect(TypedPreference("size", in: store, coder: Int.plistCoder) { 2 }.value == 2)
    #expect(
      texts.all == [
        "theme: cannot be read from the command line as Theme: "
          + "the stored string is not a raw value of Theme (light, dark)",
        "limit: cannot be read from the environment variable APP_LIMIT as Int: "
          + "expected an integer, found a string",
        "size: cannot be read from \(folder.path("system/\(domain).plist")) as Int: "
          + "expected an integer, found a string",
      ])
    #expect(throws: TypedPreferenceError.self) { try theme.load() }
    do { _ = try theme.load() } catch {
      #expect(error.layer?.kind == .argument)
      #expect(
        "\(error)" == "\(domain), theme: cannot be read from the command line: "
          + "expected a raw value of Theme (light, dark)")
    }
  }

  @Test("Storing names the type")
  func storing() {
    let (key, store) = (UUID().uuidString, PreferencesStore.inMemory())
    let reasons = Recorder<String>()
    let observation = PreferencesStore.onEvent { event in
      if case .valueFailure("InMemory", key, let reason) = event { reasons.record(reason) }
    }
    TypedPreference(key, in: store, coder: Date.plistCoder) { .now }.set(
      Date(timeIntervalSinceReferenceDate: .nan))
    observation.cancel()
    #expect(
      reasons.all == ["a value of type Date cannot be stored: expected a date that is not NaN"])
  }
}
