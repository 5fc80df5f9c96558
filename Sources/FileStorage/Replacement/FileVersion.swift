/// One content of a file: the state in which the file held it, and a hash of its bytes.
package struct FileVersion: Sendable {
  /// The state of the file.
  package var identity: FileIdentity
  let fingerprint: UInt64
}

/// What a look at a file finds.
package enum FileFinding: Sendable {
  /// There is no file.
  case nothing
  /// It holds the bytes that are known, in the state that is given.
  case known(FileVersion)
  /// It holds others.
  case contents(FileContents)

  /// The state of the file; nil where there is none.
  package var identity: FileIdentity? {
    switch self {
    case .nothing: nil
    case .known(let version): version.identity
    case .contents(let contents): contents.identity
    }
  }

  /// The content of the file, for the next look; nil where there is none.
  package var version: FileVersion? {
    switch self {
    case .nothing: nil
    case .known(let version): version
    case .contents(let contents): contents.version
    }
  }
}
