import FoundationEssentials
import PropertyList
import Testing

@testable import Preferences

extension StoreValueTests {
  /// A value and the type of the object that the store returns for it.
  struct TypedValue: Sendable, CustomTestStringConvertible {
    let type: Any.Type
    let set: @Sendable (PreferencesStore) -> Void

    init(_ type: Any.Type, set: @escaping @Sendable (PreferencesStore) -> Void) {
      self.type = type
      self.set = set
    }

    var testDescription: String { "\(type)" }

    static let all = [
      TypedValue(Int.self) { $0.set(5, forKey: "k") },
      TypedValue(Int.self) { $0.set(1, forKey: "k") },
      TypedValue(Double.self) { $0.set(1.0, forKey: "k") },
      TypedValue(Float.self) { $0.set(Float(0.5), forKey: "k") },
      TypedValue(Bool.self) { $0.set(true, forKey: "k") },
      TypedValue(String.self) { $0.set("text", forKey: "k") },
      TypedValue(Date.self) { $0.set(Date(timeIntervalSinceReferenceDate: 1), forKey: "k") },
      TypedValue(Data.self) { $0.set(Data([1, 2]), forKey: "k") },
      TypedValue([Any].self) { $0.set([1, "a", true] as [Any], forKey: "k") },
      TypedValue([String: Any].self) { $0.set(["k": [1.5]], forKey: "k") },
      TypedValue(UInt.self) { $0.set(UInt64.max, forKey: "k") },
    ]
  }

  /// A way to remove the value of the key `k`.
  struct Removal: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let remove: @Sendable (PreferencesStore) -> Void

    init(_ description: String, remove: @escaping @Sendable (PreferencesStore) -> Void) {
      testDescription = description
      self.remove = remove
    }

    static let all = [
      Removal("nil") { $0.set(nil, forKey: "k") },
      Removal("nil as Any?") { $0.set(nil as Any?, forKey: "k") },
      Removal("nil as Int?") { $0.set(nil as Int?, forKey: "k") },
      Removal("nil as PlistValue?") { $0.set(nil as PlistValue?, forKey: "k") },
      Removal("nil as String?") { $0.set(nil as String?, forKey: "k") },
      Removal("nil as URL?") { $0.set(nil as URL?, forKey: "k") },
      Removal("nil as [Int]?") { $0.set(nil as [Int]?, forKey: "k") },
      Removal("removeObject") { $0.removeObject(forKey: "k") },
      Removal("setAny") { try? $0.setAny(nil, forKey: "k") },
      Removal("removeAll") { $0.removeAll() },
    ]
  }
}
