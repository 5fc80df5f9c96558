#if Etcd
  import Foundation
  import Testing

  /// The commands of a section of a documentation page, as a script.
  ///
  /// A block of commands is run by one shell, in the order of the page. Where a block of text follows,
  /// the commands before it are repeated until they print that text: what machines tell each other
  /// arrives a moment later.
  struct PageSession {
    /// The script, for bash.
    private(set) var script: String
    /// The number of blocks of commands.
    private(set) var blockCount = 0

    /// Reads a section, from its heading to the next of the same level.
    init(page: String, section: String) throws {
      let start = try #require(page.range(of: "\n## \(section)\n")).upperBound
      let text = page[start...]
      let end = text.range(of: "\n## ")?.lowerBound ?? text.endIndex
      script = "set -u\n" + Self.functions
      let blocks = text[..<end].matches(of: /(?s)\n```(sh|text)\n(.*?)\n```/)
      for (index, block) in blocks.enumerated() where block.1 == "sh" {
        blockCount += 1
        let next = blocks.dropFirst(index + 1).first
        script += "block() {\n\(block.2)\n}\n"
        if let next, next.1 == "text" {
          script += "expect \(blockCount) << 'END OF TEXT'\n\(next.2)\nEND OF TEXT\n"
        } else {
          script += "perform \(blockCount)\n"
        }
      }
    }

    /// What the script does with a block, in the folder `$RESULTS`.
    private static let functions = """
      fail() {
        printf 'block %s: %s\\n' "$1" "$2"
        declare -f block
        cat "$RESULTS/output"
        exit 1
      }
      perform() {
        set -e
        block > "$RESULTS/output" 2>&1 || fail "$1" 'failed'
        set +e
      }
      expect() {
        cat > "$RESULTS/expected"
        for _ in $(seq 600); do
          block > "$RESULTS/output" 2> "$RESULTS/errors"
          cmp -s "$RESULTS/output" "$RESULTS/expected" && return
          sleep 0.1
        done
        fail "$1" 'printed something else'
      }

      """
  }
#endif
