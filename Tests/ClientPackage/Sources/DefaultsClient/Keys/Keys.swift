import Defaults
import Foundation

/// Preferences that the station shares with its display.
let displayDefaults = UserDefaults(suiteName: "org.example.station.display")!

extension Defaults.Keys {
  static let threshold = Key<Double>("threshold", default: 0.8)
  static let place = Key<String?>("place")
  static let lens = Key<Lens?>("lens") { .fitting(.night) }
  static let attempts = Key<Int>("attempts") { 1 + 2 }
  static let interval = Key<ReportInterval>("interval", default: .hour)
  static let keeper = Key<Keeper>("keeper", default: .init(name: "Ida", town: "Lund"))
  static let substitute = Key<Keeper?>("substitute")
  static let isFrozen = Key<Bool>("isFrozen", default: true)
  static let isDimmed = Key<Bool>("isDimmed", default: true, suite: displayDefaults)
  static let nested = Key<[[String: Set<[String: Int]>]]>("nested", default: [])
  static let intervals = Key<[String: ReportInterval]>("intervals", default: [:])
  static let thresholds = Key<[Int: String]>("thresholds", default: [:])
  static let range = Key<ClosedRange<Int>>("range", default: -10...40)
  static let span = Key<Range<Date>?>("span")
  static let page = Key<URL?>("page")
  static let station = Key<UUID?>("station")
  static let scale = Key<CGFloat>("scale", default: 1.5)
  static let weather = Key<Weather>("weather", default: .dry(celsius: 20))
  static let forecast = Key<[Weather?]>("forecast", default: [])
  static let history = Key<History<History<Int>>?>("history")
  static let profile = Key<Profile>("profile", default: Profile())
  static let alarms = Key<Alarms>("alarms", default: [.frost])
  static let seal = Key<Seal>("seal", default: Seal(text: "new"))
}

/// Keys whose names are known only at run time.
extension Defaults.Keys {
  static func isEnabled(_ sensor: String) -> Key<Bool> {
    Key("isEnabled-\(sensor)", default: false)
  }
}

/// Keys in a separate enumeration.
enum Network {
  static let proxy = Defaults.Key<String>("proxy", default: "none")

  enum Limits {
    static let rate = Defaults.Key<UInt8>("rate", default: 250)
  }
}

/// A key that stands alone.
let isMetric = Defaults.Key<Bool>("isMetric", default: true)
