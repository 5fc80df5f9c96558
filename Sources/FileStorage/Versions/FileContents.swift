package import FoundationEssentials

/// The contents of a file at one moment.
package struct FileContents: Sendable {
  /// The bytes.
  package var data: Data
  /// The state of the file that held them.
  package var identity: FileIdentity

  /// The version, which identifies the same contents later.
  package var version: FileVersion {
    FileVersion(identity: identity, fingerprint: Fingerprint.hash(data))
  }
}
