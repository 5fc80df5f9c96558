import Defaults

/// A type with a bridge.
struct Site: Hashable {
  let name: String
  let region: String
}

struct SiteBridge: Defaults.Bridge {
  typealias Value = Site
  typealias Serializable = [String: String]

  func serialize(_ value: Value?) -> Serializable? {
    guard let value else { return nil }
    return ["name": value.name, "region": value.region]
  }

  func deserialize(_ object: Serializable?) -> Value? {
    guard let object, let name = object["name"], let region = object["region"] else { return nil }
    return Site(name: name, region: region)
  }
}

extension Site: Defaults.Serializable {
  static let bridge = SiteBridge()
}

extension Defaults.Keys {
  static let site = Defaults.Key<Site>("site", default: .home)
  static let siteList = Defaults.Key<[Site]>("siteList", default: [.home])
  static let siteSet = Defaults.Key<Set<Site>>("siteSet", default: Set([.home]))
  static let sitesByName = Defaults.Key<[String: Site]>("sitesByName", default: ["home": .home])
}

extension Site {
  static let home = Site(name: "Home", region: "North")
}
