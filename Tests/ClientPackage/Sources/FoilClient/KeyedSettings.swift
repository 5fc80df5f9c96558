import Foil
import Foundation

enum SettingsKey: String, CaseIterable {
  case isPaused
  case rounds
  case finished
}

extension FoilDefaultStorage {
  init(wrappedValue: T, _ key: SettingsKey) {
    self.init(wrappedValue: wrappedValue, key: key.rawValue)
  }
}

extension FoilDefaultStorageOptional {
  init(_ key: SettingsKey) {
    self.init(key: key.rawValue)
  }
}

/// Settings whose keys are an enumeration, in a class of Foundation's kind.
final class KeyedSettings: NSObject {
  @FoilDefaultStorage(.isPaused)
  var isPaused = false

  @FoilDefaultStorage(.rounds)
  var rounds = 3

  @FoilDefaultStorageOptional(.finished)
  var finished: Date?
}
