import Defaults
import DefaultsMacros
import Observation

extension Defaults.Keys {
  static let isOpen = Key<Bool>("isOpen", default: false)
}

@MainActor
@Observable
final class PanelModel {
  @ObservableDefault(.isOpen)
  @ObservationIgnored
  var isOpen: Bool

  private(set) var openings = 0

  func open() {
    isOpen = true
    openings += 1
  }
}
