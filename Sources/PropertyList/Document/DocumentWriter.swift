internal import FoundationEssentials

/// A writer of one document.
protocol DocumentWriter: ~Copyable {
  init(_ root: PlistValue, options: PlistWriteOptions)

  /// Writes the whole document.
  mutating func write() throws(PlistError.Kind)

  /// The path of the value that is being written, for errors.
  var keyPath: PlistKeyPath { get }

  /// Returns the document.
  consuming func data() -> Data
}

extension DocumentWriter where Self: ~Copyable {
  /// Writes a value and returns the document.
  static func write(
    _ root: PlistValue, options: PlistWriteOptions
  ) throws(PlistError) -> Data {
    var writer = Self(root, options: options)
    do {
      try writer.write()
    } catch {
      throw PlistError(error, keyPath: writer.keyPath)
    }
    return writer.data()
  }
}
