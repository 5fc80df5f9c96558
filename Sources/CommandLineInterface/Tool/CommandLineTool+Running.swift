internal import FoundationEssentials

extension CommandLineTool {
  /// Does what the process's command line asks for, with its standard streams.
  ///
  /// - Parameter perform: Does one of the verbs. It reports in the session what goes wrong, or throws a
  ///   ``UsageError`` or a ``CommandFailure``.
  /// - Returns: The exit status.
  package func run(_ perform: (Invocation, Session) throws -> Void) -> Int32 {
    let session = Session(tool: name)
    do {
      let words = try Self.words()
      do {
        switch try parse(words) {
        case .help(let verb):
          session.print(verb.flatMap(self.verb).map(help(of:)) ?? help)
        case .version: session.print("\(name) (Larder) \(version)\n")
        case .completion(let shell): session.print(completion(for: shell))
        case .manual: session.print(manual)
        case .invocation(let invocation): try perform(invocation, session)
        }
      } catch let error as UsageError {
        session.failureStatus = usageStatus(of: words)
        throw error
      }
    } catch let failure as CommandFailure {
      session.fail(failure.lines)
    } catch {
      session.report("\(error) (see \(name) \(layout == .verbatim ? Self.helpVerb : "-help"))")
    }
    return session.finish()
  }

  /// The exit status for a command line that is not allowed, by its verb.
  private func usageStatus(of words: [String]) -> Int32 {
    let verb = words.prefix { $0 != "--" }.lazy.compactMap { self.verb($0) }.first
    return verb?.usageStatus ?? 1
  }

  /// The words behind the program's name.
  ///
  /// - Throws: An error for one that is not UTF-8, which would come out as something else.
  private static func words() throws(UsageError) -> [String] {
    var words: [String] = []
    for index in 1..<max(1, Int(CommandLine.argc)) {
      guard let pointer = CommandLine.unsafeArgv[index] else { break }
      guard let word = String(validatingCString: pointer) else {
        throw UsageError(
          "argument \(index) is not UTF-8: \(String(cString: pointer).debugDescription); "
            + "a file of such a name can be reached through a link or standard input")
      }
      words.append(word)
    }
    return words
  }
}
