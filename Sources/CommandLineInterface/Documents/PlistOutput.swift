package import FoundationEssentials
package import PropertyList

/// The bytes of a property list, as exact as the format allows: dates are rounded to whole seconds,
/// and control characters are written to XML, if they must.
package struct PlistOutput {
  /// The property list in the format.
  package var data: Data
  /// The warnings about values that are not exact or not allowed, one of each kind, with the first
  /// place.
  package private(set) var warnings: [String] = []

  /// Writes a value.
  ///
  /// - Throws: An error for a value that the format cannot represent in any way.
  package init(
    _ value: PlistValue, as format: PlistFormat, options: PlistWriteOptions = PlistWriteOptions()
  ) throws(PlistError) {
    var options = options
    options.rejectsFractionalSeconds = true
    while true {
      do throws(PlistError) {
        data = try Plist.write(value, as: format, options: options)
        return
      } catch {
        switch error.kind {
        case .fractionalSeconds where options.rejectsFractionalSeconds:
          options.rejectsFractionalSeconds = false
          warnings.append("\(error); rounded down, here and elsewhere")
        case .unrepresentableCharacter(1..<0x20, .xml) where !options.allowsControlCharacters:
          options.allowsControlCharacters = true
          warnings.append("\(error); written as is, here and elsewhere")
        default:
          throw error
        }
      }
    }
  }
}
