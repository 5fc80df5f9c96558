internal import CLinuxFile
internal import FoundationEssentials

extension CommandLineTool {
  /// Runs the tool with the process's command line and standard streams.
  ///
  /// - Returns: The exit status: 0, or another if anything failed.
  package func run() -> Int32 {
    // A tool holds whole documents one after the other, which the kernel gets back in between.
    larder_map_blocks_from_size(Self.leastMappedSize)
    let session = Session(tool: name)
    do {
      let words = try Self.words()
      do {
        switch try parse(words) {
        case .help(let verb): session.print(verb.flatMap(self.verb).map(help(of:)) ?? help)
        case .version: session.print("\(name) (Larder) \(version)\n")
        case .completion(let shell): session.print(completion(for: shell))
        case .candidates(let words): session.print(candidates(for: words).lines)
        case .manual: session.print(manual)
        case .invocation(let invocation): try invocation.verb.action(invocation, session)
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

  /// The size in bytes from which a block of memory is returned to the kernel when it is freed.
  private static let leastMappedSize: Int32 = 256 << 10

  /// The exit status for a malformed command line, which depends on its verb. Without one it is that of
  /// all verbs, if they have the same.
  private func usageStatus(of words: [String]) -> Int32 {
    let verb = words.prefix { $0 != "--" }.lazy.compactMap { self.verb($0) }.first
    if let verb { return verb.usageStatus }
    let statuses = Set(verbs.map(\.usageStatus))
    return statuses.count == 1 ? statuses.first! : 1
  }

  /// The command line without the program's name; throws for a word that is not UTF-8.
  private static func words() throws(UsageError) -> [String] {
    var words: [String] = []
    for index in 1..<max(1, Int(CommandLine.argc)) {
      guard let pointer = CommandLine.unsafeArgv[index] else { break }
      guard let word = String(validatingCString: pointer) else {
        throw UsageError(
          "argument \(index) is not UTF-8: \(String(cString: pointer).debugDescription); "
            + "use a link or standard input for a file with such a name")
      }
      words.append(word)
    }
    return words
  }
}
