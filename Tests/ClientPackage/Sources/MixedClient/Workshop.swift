import Defaults
import DefaultsMacros
import Foil
import Foundation
import Observation

#if canImport(Combine)
  import Combine
#endif

#if os(Linux)
  typealias UserDefaults = PreferencesStore
#endif

/// A type that both libraries store, each in its own way.
struct Tool: Codable, Hashable, Defaults.Serializable, UserDefaultsSerializable {
  var name: String
}

enum Shift: String, Defaults.Serializable, UserDefaultsSerializable {
  case early, late
}

extension Defaults.Keys {
  static let tool = Key<Tool>("workshop-tool", default: Tool(name: "saw"))
  static let shift = Key<Shift>("workshop-shift", default: .early)
  static let opened = Key<Date?>("workshop-opened")
}

/// Properties of both libraries in one type.
struct Workshop {
  @Default(.tool)
  var tool

  @FoilDefaultStorage(key: "workshop-spare")
  var spare = Tool(name: "file")

  /// The same preference as ``Defaults/Keys/shift``.
  @FoilDefaultStorage(key: "workshop-shift", userDefaults: UserDefaults.standard)
  var shift = Shift.early

  @FoilDefaultStorageOptional(key: "workshop-opened")
  var opened: Date?

  func subscriptions(_ receive: @escaping @Sendable (String) -> Void) -> Set<AnyCancellable> {
    var subscriptions = Set<AnyCancellable>()
    $spare
      .sink { receive($0.name) }
      .store(in: &subscriptions)
    Defaults.publisher(.tool)
      .sink { receive($0.newValue.name) }
      .store(in: &subscriptions)
    return subscriptions
  }

  func close() {
    Defaults.reset(.tool, .shift, .opened)
    UserDefaults.standard.removeObject(forKey: "workshop-spare")
  }
}

@MainActor
@Observable
final class WorkshopModel {
  @ObservableDefault(.shift)
  @ObservationIgnored
  var shift: Shift

  @ObservationIgnored
  @FoilDefaultStorageOptional(key: "workshop-opened")
  var opened: Date?
}
