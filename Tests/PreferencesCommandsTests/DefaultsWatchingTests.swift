import PropertyList
import TestSupport
import Testing

@Suite("defaults watch prints changes")
struct DefaultsWatchingTests {
  /// Shell functions that start the watcher, and wait for a number of lines.
  private static let functions = """
    lines() {
      for i in {1..600}; do [ "$(wc -l < out)" -ge "$1" ] && return; sleep 0.05; done
      echo "line $1 has not come" >&2
    }
    watch() {
      rm -f err; : > out
      $DEFAULTS watch "$@" > out 2> err & watcher=$!
      for i in {1..600}; do [ -s err ] && grep -q watching err && return; sleep 0.05; done
      echo "it does not watch" >&2
    }

    """

  private func expect(_ script: String, _ output: String) throws {
    let run = try Defaults().shell(Self.functions + script)
    #expect(run.text == output)
    #expect(run.error == "")
  }

  @Test("of a domain by any process, one per line, until it is terminated")
  func domain() throws {
    try expect(
      """
      watch D
      $DEFAULTS write D volume -float 0.5; lines 1
      $DEFAULTS write D volume -float 0.75; lines 2
      $DEFAULTS write D volume -float 0.75
      $DEFAULTS write D 'a key' '{b = (1, "x  ("); c = {}; d = "two\\nlines";}'; lines 3
      $DEFAULTS delete D volume; lines 4
      printf '<plist><dict><key>z</key><true/></dict></plist>' > user/D.plist; lines 6
      rm user/D.plist; lines 7
      kill -TERM $watcher; wait $watcher; echo $?
      cat out; sed "s|$HOME|HOME|" err
      """,
      """
      143
      volume: - -> "0.5"
      volume: "0.5" -> "0.75"
      "a key": - -> { b = ( 1, "x  (" ); c = { }; d = "two\\nlines"; }
      volume: "0.75" -> -
      "a key": { b = ( 1, "x  (" ); c = { }; d = "two\\nlines"; } -> -
      z: - -> 1
      z: 1 -> -
      watching HOME/user/D.plist

      """)
  }

  @Test("of one key only")
  func key() throws {
    try expect(
      """
      watch D k
      $DEFAULTS write D other -int 1
      $DEFAULTS write D k -int 1; lines 1
      $DEFAULTS write D k -string ""; lines 2
      kill -TERM $watcher; wait $watcher
      cat out
      """, "k: - -> 1\nk: 1 -> \"\"\n")
  }

  @Test("of a file in a folder that is created later, and of the global domain")
  func paths() throws {
    try expect(
      """
      watch ./made/later
      mkdir made; $DEFAULTS write ./made/later k 1; lines 1
      kill -TERM $watcher; wait $watcher; cat out
      watch -g
      $DEFAULTS write -g k 2; lines 1
      kill -TERM $watcher; wait $watcher; cat out
      """, "k: - -> 1\nk: - -> 2\n")
  }

  @Test("after a warning about a file that cannot be read yet")
  func damaged() throws {
    try expect(
      """
      echo 'no list' > user/D.plist
      watch D
      echo '<plist><dict><key>k</key><integer>1</integer></dict></plist>' > user/D.plist; lines 1
      kill -TERM $watcher; wait $watcher
      cat out; grep -c 'defaults: warning: .*D.plist' err
      """, "k: - -> 1\n1\n")
  }

  @Test("until its output is closed")
  func closedPipe() throws {
    try expect(
      """
      mkfifo pipe; $DEFAULTS watch D > pipe 2> err & watcher=$!
      head -n 1 < pipe & reader=$!
      for i in {1..600}; do [ -s err ] && break; sleep 0.05; done
      $DEFAULTS write D k 1; wait $reader
      $DEFAULTS write D k 2; wait $watcher; echo $?
      """, "k: - -> 1\n141\n")
  }

  @Test("of one domain, and rejects other command lines")
  func usage() throws {
    let defaults = try Defaults()
    for words in [["watch"], ["watch", "D", "k", "more"], ["-currentHost", "watch", "./x"]] {
      let run = try defaults.run(words)
      #expect(run.status == 2)
      #expect(run.text == "")
      #expect(run.error.hasSuffix("(see defaults help)\n"))
    }
  }
}
