internal import CommandLineInterface
internal import FileStorage
internal import FoundationEssentials
internal import Glibc
internal import PropertyList

/// `-merge`
extension Plutil {
  /// Merges what two others have made of a property list. The exit status is 0 for a clean merge, 1
  /// for conflicts, and 2 if the files cannot be merged.
  static func merge(_ invocation: Invocation, in session: Session) throws(UsageError) {
    session.failureStatus = troubleStatus
    let inputs = try InputFile.all(of: invocation)
    let output = invocation.argument(of: Option.output)
    guard !inputs[1].isStream && !inputs[1].isStandardInput || output != nil else {
      throw UsageError("the second file must be a regular one, unless -o is given")
    }
    var winner: MergedFile.Side?
    if invocation.has(Option.takeOurs) { winner = .ours }
    if invocation.has(Option.takeTheirs) {
      guard winner == nil else { throw UsageError("--ours and --theirs cannot be used together") }
      winner = .theirs
    }
    guard let base = inputs[0].readData(in: session),
      let theirs = inputs[2].readData(in: session)
    else { return }
    let merged = MergedFile(
      base: (inputs[0], base), theirs: (inputs[2], theirs), ours: inputs[1], winner: winner,
      isReformatted: invocation.has(Option.reformat))
    let labels = invocation.arguments(of: Option.label)
    guard labels.count <= 1 else {
      throw UsageError("-merge takes one --label, not \(labels.count)")
    }
    guard let outcome = write(merged, to: output, in: session) else { return }
    report(
      outcome, about: inputs[1], named: labels.first, isSilent: invocation.has(Option.silent),
      in: session)
  }

  /// Writes the result, or reports why it cannot; our file is replaced under its lock.
  private static func write(
    _ merged: MergedFile, to output: String?, in session: Session
  ) -> MergedFile.Outcome? {
    let ours = merged.ours
    do {
      guard let output else {
        var outcome: MergedFile.Outcome?
        try AtomicFile(ours.operand).update(limit: PlistLimits().maximumSize) { present in
          guard let contents = present.contents else { throw FileSystemError(.open, code: ENOENT) }
          let result = merged.outcome(for: contents.data)
          outcome = result
          return result.data
        }
        return outcome
      }
      let data = try ours.readData()
      let outcome = merged.outcome(for: data)
      let result = outcome.data ?? data
      if output == "-" { session.write(result) } else { try AtomicFile.write(result, to: output) }
      return outcome
    } catch {
      session.report("\(error)", about: output.map { $0 == "-" ? ours.name : $0 } ?? ours.name)
      return nil
    }
  }

  private static func report(
    _ outcome: MergedFile.Outcome, about ours: InputFile, named label: String?, isSilent: Bool,
    in session: Session
  ) {
    let name = label ?? ours.name
    switch outcome {
    case .unchanged: break
    case .merged(_, let warnings):
      if !isSilent { session.warn(warnings, about: name) }
    case .conflicts(let conflicts, _):
      session.succeed(with: 1)
      guard !isSilent else { return }
      for conflict in conflicts {
        session.note(
          "\(name): conflict at \(conflict.path.isRoot ? "the root" : conflict.path.excerpt)")
      }
    case .failure(let problems, _):
      for (file, message) in problems {
        session.report(message, about: file.operand == ours.operand ? name : file.name)
      }
    }
  }
}

extension MergedFile.Outcome {
  /// The new contents of our file; nil if it stays as it is.
  fileprivate var data: Data? {
    switch self {
    case .unchanged: nil
    case .merged(let data, _), .conflicts(_, let data), .failure(_, let data): data
    }
  }
}
