import TestSupport
import Testing

/// A folder with a preference manifest and preferences, where plutil runs.
struct ManifestFolder {
  let folder: TemporaryFolder

  /// Preferences with one deviation on each line.
  static let preferences = """
    {
      "tabWidth": 17,
      "theme": "blue",
      "tabWidht": 4,
      "window": {
        "width": "wide"
      },
      "recent": ["/a", "b"],
      "token": "hunter5"
    }

    """

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(EditorManifest.text, to: "editor.manifest")
    try folder.write(Self.preferences, to: "p.json")
  }

  /// Runs a shell command that finds the manifest as an installed one. `$PLUTIL` is plutil.
  func shell(_ command: String) throws -> Plutil.Run {
    try EditorManifest.install(in: folder)
    return try Plutil.shell(
      "export XDG_DATA_HOME=$PWD/data XDG_DATA_DIRS=$PWD/none; \(command)", in: folder)
  }

  /// Runs plutil with words, and expects everything that it prints.
  func expect(
    _ words: [String], output: String = "", error: String = "", status: Int32 = 0,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try Plutil.run(words, in: folder)
      .expect(output: output, error: error, status: status, sourceLocation: sourceLocation)
  }
}
