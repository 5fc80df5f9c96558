/// An editor without a user: each time it runs, it performs the next of the steps that a test has
/// written.
package enum EditorScript {
  /// The command for `EDITOR`, in the folder of the script.
  package static let command = "sh ./editor"

  /// Writes the script with its steps into a folder, and creates a folder `tmp` for temporary files.
  ///
  /// - Parameter steps: Commands of the shell, where `$1` is the file. The text that the editor was
  ///   opened on is in `seen1`, `seen2` and so on.
  package static func write(_ steps: [String], in folder: TemporaryFolder) throws {
    for (index, step) in steps.enumerated() {
      try folder.write(step + "\n", to: "step\(index + 1)")
    }
    try folder.write(
      """
      mkdir -p tmp
      n=$(($(cat count 2>/dev/null || echo 0) + 1)); echo $n > count
      cp "$1" seen$n
      . ./step$n

      """, to: "editor")
  }

  /// A shell command that runs another one with the script as the editor. Random parts of file names in
  /// errors become X.
  package static func running(_ command: String) -> String {
    """
    mkdir -p tmp; rm -f count; export TMPDIR=$PWD/tmp EDITOR='\(Self.command)' VISUAL=
    \(command) 2> err < /dev/null; status=$?
    sed -E "s|$TMPDIR|TMP|; s|-[[:alnum:]]{6}[.]|-XXXXXX.|" err >&2; exit $status
    """
  }
}
