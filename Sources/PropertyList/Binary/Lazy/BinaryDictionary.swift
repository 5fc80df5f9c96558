package import FoundationEssentials

/// A binary property list whose root is a dictionary, of which only requested values are read.
///
/// The whole document is validated first, so that reading a value later cannot fail.
package struct BinaryDictionary: Sendable {
  private let data: Data
  /// Whether the document has a null or a set.
  package let hasNullOrSet: Bool
  private let limits: PlistLimits

  /// Validates a document.
  ///
  /// - Returns: Nil if the root is not a dictionary.
  /// - Throws: The error that reading the document throws.
  package init?(_ data: Data, limits: PlistLimits = PlistLimits()) throws(PlistError) {
    try Plist.checkSize(data.count, limits)
    let (root, hasNullOrSet) = try BinaryPlistReader.validate(data, limits)
    guard root == .dictionary else { return nil }
    self.data = data
    self.limits = limits
    self.hasNullOrSet = hasNullOrSet
  }

  /// Returns all values in document order.
  package func allValues() throws(PlistError) -> PlistDictionary {
    var options = PlistReadOptions()
    options.limits = limits
    guard case .dictionary(let values) = try BinaryPlistReader.read(data, options: options).0 else {
      return PlistDictionary()
    }
    return values
  }

  /// Returns the value of a key, or nil if there is none, in time linear in the number of keys.
  package func value(forKey key: String) -> PlistValue? {
    // A validated document throws no errors.
    try? BinaryObjects.withObjects(of: data) { objects throws(PlistError) in
      guard let object = try objects.object(forKey: key, in: objects.trailer.topObject) else {
        return nil
      }
      var reader = try BinaryPlistReader(objects, limits)
      return try reader.read(object)
    }
  }
}
