internal import PropertyList

/// A domain that lives in memory and ends with the process.
final class VolatileDomain: Sendable {
  /// The defaults that were registered, which all stores of the process share.
  static let registration = VolatileDomain()

  private let contents: Lock<PlistDictionary>

  init(_ values: PlistDictionary = PlistDictionary()) {
    contents = Lock(values)
  }

  var values: PlistDictionary {
    get { contents.withLock { $0 } }
    set { contents.withLock { $0 = newValue } }
  }

  func value(forKey key: String) -> PlistValue? {
    contents.withLock { $0[key] }
  }

  /// Adds values; those of keys that are there already are replaced.
  func merge(_ values: PlistDictionary) {
    contents.withLock { contents in
      for (key, value) in values { contents[key] = value }
    }
  }
}
