import Defaults
import Foundation

/// A part that is chosen when it is needed.
struct Lens: Codable, Equatable, Defaults.Serializable {
  enum Purpose {
    case day, night
  }

  let aperture: Double

  static func fitting(_ purpose: Purpose) -> Lens? {
    purpose == .night ? Lens(aperture: 1.8) : nil
  }
}

enum ReportInterval: String, Defaults.Serializable {
  case tenMinutes = "10 Minutes"
  case hour = "1 Hour"
}

struct Keeper: Codable, Equatable, Defaults.Serializable {
  let name: String
  let town: String
}

enum Weather: Codable, Hashable, Defaults.Serializable {
  case dry(celsius: Double)
  case wet(celsius: Double, millimetres: Int)
  case unknown
}

struct History<Element: Codable>: Codable, Defaults.Serializable {
  var elements: [Element]
}

final class Profile: Codable, Defaults.Serializable {
  var title = "untitled"
}

struct Alarms: OptionSet, Defaults.Serializable {
  static let frost = Alarms(rawValue: 1)
  static let storm = Alarms(rawValue: 2)

  let rawValue: Int
}

/// A type whose stored form is its raw value, though it is Codable.
enum MediaType: String, Codable, Defaults.Serializable, Defaults.PreferRawRepresentable {
  case json = "application/json"
  case stream = "application/octet-stream"
}

/// A class that is archived.
final class Seal: NSObject, NSSecureCoding, Defaults.Serializable {
  static let supportsSecureCoding = true

  let text: String

  init(text: String) {
    self.text = text
  }

  init?(coder: NSCoder) {
    guard let text = coder.decodeObject(of: NSString.self, forKey: "text") else { return nil }
    self.text = String(describing: text)
  }

  func encode(with coder: NSCoder) {
    coder.encode(NSString(string: text), forKey: "text")
  }
}
