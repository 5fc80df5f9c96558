package import FoundationEssentials

/// A binary property list whose root is a dictionary, of which only those values are made that are asked
/// for.
///
/// All of it has been checked as by reading it, so that nothing can go wrong later.
package struct BinaryDictionary: Sendable {
  private let data: Data
  /// Whether there is null or a set in it.
  package let hasNullOrSet: Bool
  private let limits: PlistLimits

  /// Checks a document.
  ///
  /// - Returns: Nil where the root is no dictionary.
  /// - Throws: What reading it would throw.
  package init?(_ data: Data, limits: PlistLimits = PlistLimits()) throws(PlistError) {
    try Plist.checkSize(data.count, limits)
    let (root, hasNullOrSet) = try BinaryPlistReader.check(data, limits)
    guard root == .dictionary else { return nil }
    self.data = data
    self.limits = limits
    self.hasNullOrSet = hasNullOrSet
  }

  /// All values, in the order of the document.
  package func allValues() throws(PlistError) -> PlistDictionary {
    var options = PlistReadOptions()
    options.limits = limits
    guard case .dictionary(let values) = try BinaryPlistReader.read(data, options: options).0 else {
      return PlistDictionary()
    }
    return values
  }

  /// The value of a key; nil where there is none. The time that it takes grows with the number of keys.
  package func value(forKey key: String) -> PlistValue? {
    // Nothing is thrown: it has been checked.
    try? BinaryObjects.with(data) { objects throws(PlistError) in
      guard let object = try objects.find(key, in: objects.trailer.topObject) else { return nil }
      var reader = try BinaryPlistReader(objects, limits)
      return try reader.read(object)
    }
  }
}
