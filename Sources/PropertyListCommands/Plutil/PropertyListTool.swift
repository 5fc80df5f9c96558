internal import CommandLineInterface

/// `plutil`: checks, prints, converts, changes and compares property lists.
package enum PropertyListTool {
  /// Does what the process's command line asks for, with its standard streams.
  ///
  /// - Returns: The exit status: 0, or 1 where anything failed.
  package static func run() -> Int32 { table.run(perform) }

  private static func perform(_ invocation: Invocation, in session: Session) throws {
    switch invocation.verb {
    case Verb.lint: try lint(invocation, in: session)
    case Verb.print: try print(invocation, in: session)
    case Verb.convert: try convert(invocation, in: session)
    case Verb.insert: try insert(invocation, in: session)
    case Verb.replace: try replace(invocation, in: session)
    case Verb.remove: try remove(invocation, in: session)
    case Verb.extract: try extract(invocation, in: session)
    case Verb.type: try type(invocation, in: session)
    case Verb.diff: try compare(invocation, in: session)
    default: try create(invocation, in: session)
    }
  }
}
