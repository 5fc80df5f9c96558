internal import CommandLineInterface

/// `plutil`: checks, prints, converts, changes and compares property lists.
package enum Plutil {
  /// Runs the tool with the process's command line and standard streams.
  ///
  /// - Returns: The exit status: 0, or 1 if anything failed; for `-diff` that of `diff`.
  package static func run() -> Int32 { table.run() }
}
