import Foundation
import PropertyList
import Synchronization

/// A value of the raw limits, which has only the kinds that are read.
private enum RawValue: Sendable {
  case integer(Int)
  case string(String)
  case boolean(Bool)

  init?(_ value: PlistValue) {
    switch value {
    case .integer(let integer): self = .integer(Int(integer))
    case .string(let string): self = .string(string)
    case .boolean(let boolean): self = .boolean(boolean)
    default: return nil
    }
  }

  static func dictionary(of sample: SampleDomain) -> [String: RawValue] {
    var dictionary: [String: RawValue] = [:]
    for (key, value) in sample.values { dictionary[key] = RawValue(value) }
    return dictionary
  }
}

extension [String: RawValue] {
  @inline(__always)
  fileprivate func integer(forKey key: String) -> Int {
    guard case .integer(let value)? = self[key] else { return 0 }
    return value
  }

  @inline(__always)
  fileprivate func string(forKey key: String) -> String? {
    guard case .string(let value)? = self[key] else { return nil }
    return value
  }

  @inline(__always)
  fileprivate func bool(forKey key: String) -> Bool {
    guard case .boolean(let value)? = self[key] else { return false }
    return value
  }
}

/// The raw limit of reading: a lookup in a dictionary under a `Mutex`.
final class MutexDictionary: PreferencesReader, Sendable {
  private let values: Mutex<[String: RawValue]>

  init(_ sample: SampleDomain) {
    values = Mutex(RawValue.dictionary(of: sample))
  }

  func integer(forKey key: String) -> Int { values.withLock { $0.integer(forKey: key) } }
  func string(forKey key: String) -> String? { values.withLock { $0.string(forKey: key) } }
  func bool(forKey key: String) -> Bool { values.withLock { $0.bool(forKey: key) } }
}

/// A dictionary of a single thread, which shows how well the machine scales for threads that share
/// nothing.
final class PlainDictionary: PreferencesReader, Sendable {
  private let values: [String: RawValue]

  init(_ sample: SampleDomain) {
    values = RawValue.dictionary(of: sample)
  }

  func integer(forKey key: String) -> Int { values.integer(forKey: key) }
  func string(forKey key: String) -> String? { values.string(forKey: key) }
  func bool(forKey key: String) -> Bool { values.bool(forKey: key) }
}
