import Foundation
import Preferences

extension Main {
  /// `fail <how>` reads a value and sets one, and leaves it to the library to report what fails:
  /// without a handler, quietly, or to a handler, which prints the events.
  func failSilently() {
    var registrations: [PreferencesObservation] = []
    PreferencesStore.runtimeConfiguration.printsFailures = arguments[0] != "quiet"
    switch arguments[0] {
    case "event-handler":
      registrations.append(PreferencesStore.onEvent { event in say("\(event)") })
    case "save-handler":
      registrations.append(store.onSaveFailure { error in say("\(error)") })
    default: break
    }
    for _ in 1...3 { _ = store.string(forKey: "secret") }
    store.set("hidden", forKey: "secret")
    exit(withExtendedLifetime(registrations) { 0 })
  }

  /// `report-many <where>` reports 30 failures twice, to standard error unchanged, or to a pipe
  /// that is not read or is full.
  func reportMany() {
    PreferencesStore.runtimeConfiguration.printsFailures = true
    var ends: [Int32] = [0, 0]
    if arguments[0] != "here" {
      pipe(&ends)
      dup2(ends[1], STDERR_FILENO)
      if arguments[0] == "closed" { close(ends[0]) }
      if arguments[0] == "full" {
        _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
        while write(ends[1], "x", 1) == 1 {}
        _ = fcntl(ends[1], F_SETFL, 0)
      }
    }
    for number in (1...30).flatMap({ [$0, $0] }) {
      PreferencesEngine.process.post(
        .valueFailure(domain: "d", key: "k\(number)", reason: "cannot be read"))
    }
    say("done")
  }
}
