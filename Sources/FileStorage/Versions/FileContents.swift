package import FoundationEssentials

/// What a file held at one moment.
package struct FileContents: Sendable {
  /// All of its bytes.
  package var data: Data
  /// The state of the file in which it held them.
  package var identity: FileIdentity

  /// This content, to be known again.
  package var version: FileVersion {
    FileVersion(identity: identity, fingerprint: Fingerprint.hash(data))
  }
}
