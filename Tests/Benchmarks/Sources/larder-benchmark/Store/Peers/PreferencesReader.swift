import Foundation
import Preferences
import PropertyList

/// An implementation of preferences that values are read from.
protocol PreferencesReader {
  func integer(forKey key: String) -> Int
  func string(forKey key: String) -> String?
  func bool(forKey key: String) -> Bool
}

extension PreferencesStore: PreferencesReader {}
extension UserDefaults: PreferencesReader {}

extension PreferencesReader {
  /// Throws unless it returns the values of a domain.
  func check(_ sample: SampleDomain) throws {
    for kind in SampleDomain.Kind.allCases {
      for index in sample.indices(of: kind) {
        let key = SampleDomain.key(index)
        let value: PlistValue? =
          switch kind {
          case .integer: .integer(Int64(integer(forKey: key)))
          case .string, .longString: string(forKey: key).map { .string($0) }
          case .boolean: .boolean(bool(forKey: key))
          }
        try ensure(
          value == SampleDomain.value(index), "\(Self.self) returns a different value for \(key)")
      }
    }
  }

  /// Returns a contender that reads values of a kind by rotating keys.
  @inline(__always)
  func reading(
    _ kind: SampleDomain.Kind, _ keys: [String], as name: String,
    _ pace: Pace
  ) -> Contender {
    switch kind {
    case .integer:
      .repeated(name, pace) { count in rotate(keys, count) { consume(integer(forKey: $0)) } }
    case .boolean:
      .repeated(name, pace) { count in rotate(keys, count) { consume(bool(forKey: $0)) } }
    case .string, .longString:
      .repeated(name, pace) { count in rotate(keys, count) { consume(string(forKey: $0)) } }
    }
  }

  /// Returns a contender that reads a value of a kind by a literal key.
  @inline(__always)
  func readingLiteral(
    _ kind: SampleDomain.Kind, as name: String, _ pace: Pace
  ) -> Contender {
    switch kind {
    case .integer:
      .repeated(name, pace) { count in
        for _ in 0..<count { consume(integer(forKey: SampleDomain.Kind.integer.fixedKey)) }
      }
    case .boolean:
      .repeated(name, pace) { count in
        for _ in 0..<count { consume(bool(forKey: SampleDomain.Kind.boolean.fixedKey)) }
      }
    case .string, .longString:
      .repeated(name, pace) { count in
        for _ in 0..<count { consume(string(forKey: SampleDomain.Kind.string.fixedKey)) }
      }
    }
  }
}

/// Calls the closure a number of times, rotating through the keys.
@inline(__always)
func rotate(_ keys: [String], _ count: Int, _ body: (String) -> Void) {
  var index = 0
  for _ in 0..<count {
    body(keys[index])
    index += 1
    if index == keys.count { index = 0 }
  }
}
