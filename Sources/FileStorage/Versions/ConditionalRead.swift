/// The result of reading a file unless it still holds a known version.
package enum ConditionalRead: Sendable {
  /// There is no file.
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

  /// The version of the file; nil if there is none.
  package var version: FileVersion? {
    switch self {
    case .missing: nil
    case .unchanged(let version): version
    case .contents(let contents): contents.version
    }
  }
}
