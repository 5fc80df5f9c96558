import Foil
import Foundation

#if canImport(Combine)
  import Combine
#endif

/// Settings in a class, as one actor uses them.
@MainActor
final class AppSettings {
  static let shared = AppSettings()

  @FoilDefaultStorage(key: "isEnabled")
  var isEnabled = true

  @FoilDefaultStorage(key: "total")
  var total = 0

  @FoilDefaultStorageOptional(key: "visited")
  var visited: Date?

  @FoilDefaultStorageOptional(key: "average")
  var average: Double?

  @FoilDefaultStorageOptional(key: "member")
  var member: Member?

  @FoilDefaultStorage(key: "palette")
  var palette = Palette.light

  @FoilDefaultStorage(key: "density")
  var density = Density.wide

  @FoilDefaultStorage(key: "corner")
  var corner = Corner(x: 1, y: 2)

  @FoilDefaultStorage(key: "palettes")
  var palettes: [String: [Palette]] = [:]

  @FoilDefaultStorage(key: "home", userDefaults: UserDefaults(suiteName: "org.example.foil")!)
  var home = URL(string: "https://example.org")!

  private var subscriptions = Set<AnyCancellable>()

  func follow(_ receive: @escaping @Sendable (Double?) -> Void) {
    $average
      .sink { receive($0) }
      .store(in: &subscriptions)
  }

  func stop() {
    subscriptions.removeAll()
  }
}

/// Settings in a name space.
@MainActor
enum Limits {
  @FoilDefaultStorage(key: "limit")
  static var limit = 10

  @FoilDefaultStorageOptional(key: "hint")
  static var hint: String?
}
