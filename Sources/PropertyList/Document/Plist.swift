public import FoundationEssentials

/// Reads and writes whole property lists.
public enum Plist {
  /// Reads a document.
  ///
  /// ```swift
  /// let document = try Plist.read(data)
  /// print(document.format, document.value[PlistKeyPath("CFBundleName")] ?? .null)
  /// ```
  ///
  /// - Parameters:
  ///   - data: The whole document.
  ///   - format: The format, or nil to detect it by the leading bytes.
  ///   - options: The options of reading.
  /// - Returns: The value with its format and warnings.
  /// - Throws: The first error, with its location and key path.
  public static func read(
    _ data: Data, as format: PlistFormat? = nil, options: PlistReadOptions = PlistReadOptions()
  ) throws(PlistError) -> PlistDocument {
    try checkSize(data.count, options.limits)
    let format = format ?? PlistFormat(detecting: data)
    let (value, warnings) =
      switch format {
      case .xml: try XMLPlistReader.read(data, options: options)
      case .binary: try BinaryPlistReader.read(data, options: options)
      case .openStep: try OpenStepReader.read(data, options: options)
      case .json: try JSONReader.read(data, options: options)
      }
    return PlistDocument(value: value, format: format, warnings: warnings)
  }

  /// Throws an error for an empty document and for one above the size limit.
  static func checkSize(_ size: Int, _ limits: PlistLimits) throws(PlistError) {
    guard size > 0 else { throw PlistError(.empty) }
    guard size <= limits.maximumSize else { throw PlistError(.tooLarge(limit: limits.maximumSize)) }
  }

  /// Writes a document.
  ///
  /// The output is deterministic: it depends on the value, the format and the options alone, except
  /// that containers that the value shares in memory are written once in binary. With
  /// ``PlistWriteOptions/KeyOrder/sorted`` the order of keys in dictionaries does not matter.
  ///
  /// - Throws: An error with the key path of the first value that the format cannot represent or
  ///   that exceeds a limit.
  public static func write(
    _ value: PlistValue, as format: PlistFormat, options: PlistWriteOptions = PlistWriteOptions()
  ) throws(PlistError) -> Data {
    switch format {
    case .xml: try XMLPlistWriter.write(value, options: options)
    case .binary: try BinaryPlistWriter.write(value, options: options)
    case .openStep: try OpenStepWriter.write(value, options: options)
    case .json: try JSONWriter.write(value, options: options)
    }
  }
}
