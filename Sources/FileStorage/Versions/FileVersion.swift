/// A version of a file: its state, and a hash of its bytes.
package struct FileVersion: Sendable {
  /// The state of the file.
  package var identity: FileIdentity
  /// The hash; nil if the bytes are not known.
  let fingerprint: UInt64?
}
