package import FoundationEssentials
package import PropertyList

/// The bytes of a property list, with dates rounded to whole seconds if the format needs that.
package struct PlistOutput {
  /// The property list in the format.
  package var data: Data
  /// The error for the first date that was rounded; nil if all values are exact.
  package let rounding: PlistError?

  /// Writes a value exactly if possible, and with rounded dates otherwise.
  package init(
    _ value: PlistValue, as format: PlistFormat, options: PlistWriteOptions = PlistWriteOptions()
  ) throws(PlistError) {
    var options = options
    options.rejectsFractionalSeconds = true
    do throws(PlistError) {
      data = try Plist.write(value, as: format, options: options)
      rounding = nil
    } catch {
      guard case .fractionalSeconds = error.kind else { throw error }
      options.rejectsFractionalSeconds = false
      data = try Plist.write(value, as: format, options: options)
      rounding = error
    }
  }
}
