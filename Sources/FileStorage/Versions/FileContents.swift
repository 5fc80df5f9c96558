package import FoundationEssentials

/// A version of a file: its state, and a hash of its bytes.
package struct FileVersion: Sendable {
  package var identity: FileIdentity
  /// The hash; nil if the bytes are not known.
  let fingerprint: UInt64?
}

/// The contents of a file at one moment.
package struct FileContents: Sendable {
  package var data: Data
  /// The state of the file that held them.
  package var identity: FileIdentity

  /// The version, which identifies the same contents later.
  package var version: FileVersion {
    FileVersion(identity: identity, fingerprint: Fingerprint.hash(data))
  }
}

/// The result of reading a file unless it still holds a known version.
package enum ConditionalRead: Sendable {
  case missing
  /// The file holds the same bytes, in this state.
  case unchanged(FileVersion)
  /// The file holds other bytes.
  case contents(FileContents)

  /// The bytes that were read; nil if there is no file, or it is unchanged.
  package var contents: FileContents? {
    if case .contents(let contents) = self { contents } else { nil }
  }

  /// The state of the file; nil if there is none.
  package var identity: FileIdentity? {
    switch self {
    case .missing: nil
    case .unchanged(let version): version.identity
    case .contents(let contents): contents.identity
    }
  }

  package var version: FileVersion? {
    switch self {
    case .missing: nil
    case .unchanged(let version): version
    case .contents(let contents): contents.version
    }
  }
}
