import Defaults
import Foundation

#if canImport(Combine)
  import Combine
#endif

extension Defaults.Keys {
  static let wind = Key<Int>("wind", default: 0)
  static let gust = Key<Int>("gust", default: 0)
  static let alarm = Key<Bool>("alarm", default: false)
  static let echo = Key<Int>("echo", default: 0)
  static let relay = Key<Bool>("relay", default: false)
}

/// An object that observes and subscribes for as long as it lives.
final class Watch {
  private let journal: Journal<String>
  private var observer: (any Defaults.Observation)?
  private var cancellables = Set<AnyCancellable>()

  init(journal: Journal<String>) {
    self.journal = journal
    observer = Defaults.observe(.wind) { change in
      journal.add("wind \(change.oldValue) to \(change.newValue)")
    }
    Defaults.observe(.alarm, options: []) { change in
      journal.add("alarm \(change.newValue)")
    }
    .tieToLifetime(of: self)
    Defaults.publisher(.wind, options: [])
      .map(\.newValue)
      .filter { $0 > 10 }
      .sink { journal.add("storm \($0)") }
      .store(in: &cancellables)
    Defaults.publisher(keys: .wind, .gust, options: [])
      .sink { journal.add("either") }
      .store(in: &cancellables)
  }

  func stop() {
    observer?.invalidate()
    cancellables.removeAll()
  }
}

/// Observes a key that it writes itself.
func observeEcho(_ journal: Journal<String>) -> any Defaults.Observation {
  Defaults.observe(keys: .echo, options: []) {
    journal.add("echo \(Defaults[.echo])")
    Defaults.withoutPropagation {
      Defaults[.echo] = 11
    }
    Defaults[.relay] = true
  }
}
