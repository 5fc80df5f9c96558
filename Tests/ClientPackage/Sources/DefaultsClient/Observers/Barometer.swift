import Defaults
import Foundation

#if canImport(Combine)
  import Combine
#endif

/// A model of the user interface, which keeps its state on the main actor.
@MainActor
final class Barometer {
  var pressure = 0
  var readings: [Int] = []
  var products: [Int] = []
  var alarms = 0
  let key: Defaults.Key<Int>
  private var limit = 5
  private var cancellables = Set<AnyCancellable>()

  /// Creates a model of one of several barometers.
  init(named name: String) {
    let pressure = Defaults.Key<Int>("\(name)-pressure", default: 0)
    let correction = Defaults.Key<Int?>("\(name)-correction")
    key = pressure
    Defaults.publisher(pressure, options: [])
      .map(\.newValue)
      .receive(on: DispatchQueue.main)
      .sink { [weak self] in self?.readings.append($0) }
      .store(in: &cancellables)
    Defaults.publisher(pressure)
      .map(\.newValue)
      .filter { [weak self] in $0 >= self?.limit ?? 0 }
      .sink { [weak self] _ in self?.alarms += 1 }
      .store(in: &cancellables)
    Defaults.publisher(pressure)
      .map(\.newValue)
      .assign(to: \.pressure, on: self)
      .store(in: &cancellables)
    Publishers.CombineLatest(
      Defaults.publisher(pressure).map(\.newValue).removeDuplicates(),
      Defaults.publisher(correction).map { $0.newValue ?? 1 }
    )
    .map { pressure, correction in pressure * correction }
    .sink { [weak self] in self?.products.append($0) }
    .store(in: &cancellables)
    Defaults.publisher(pressure, options: [])
      .map(\.newValue)
      .merge(with: Defaults.publisher(correction, options: []).compactMap(\.newValue))
      .debounce(for: .milliseconds(50), scheduler: DispatchQueue.main)
      .throttle(for: 0.05, scheduler: RunLoop.main, latest: true)
      .first(where: { $0 < 0 })
      .collect()
      .eraseToAnyPublisher()
      .sink { _ in }
      .store(in: &cancellables)
  }

  func stop() {
    cancellables.removeAll()
  }
}

/// Takes publishers by what they send.
func twice(_ publisher: some Publisher<Int, Never>) -> AnyPublisher<Int, Never> {
  publisher.map { $0 + $0 }.eraseToAnyPublisher()
}
