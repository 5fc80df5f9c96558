import Defaults

extension Defaults.Keys {
  static let isLit = Key<Bool>("isLit", default: false)
}

/// What a view of SwiftUI holds, without the view.
struct Panel {
  @Default(.isLit) var isLit

  func reset() {
    _isLit.reset()
  }
}
