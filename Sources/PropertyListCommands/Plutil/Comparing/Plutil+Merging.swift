internal import CommandLineInterface
internal import FoundationEssentials
internal import PropertyList

/// `-merge`
extension Plutil {
  /// Merges two changed versions of a property list. The exit status is 0 for a clean merge, 1 for
  /// conflicts, and 2 if the files cannot be merged.
  static func merge(_ invocation: Invocation, in session: Session) throws(UsageError) {
    session.failureStatus = troubleStatus
    let inputs = try InputFile.all(of: invocation)
    let output = invocation.argument(of: .output).map { OutputPlace(named: $0) }
    guard !inputs[1].isStream && !inputs[1].isStandardInput || output != nil else {
      throw UsageError("the second file must be a regular one, unless -o is given")
    }
    var winner: MergedFile.Side?
    if invocation.has(.takeOurs) { winner = .ours }
    if invocation.has(.takeTheirs) {
      guard winner == nil else { throw UsageError("--ours and --theirs cannot be used together") }
      winner = .theirs
    }
    guard let base = inputs[0].readData(in: session),
      let theirs = inputs[2].readData(in: session)
    else { return }
    let merged = MergedFile(
      base: (inputs[0], base), theirs: (inputs[2], theirs), ours: inputs[1], winner: winner,
      isReformatted: invocation.has(.reformat))
    let labels = invocation.arguments(of: .label)
    guard labels.count <= 1 else {
      throw UsageError("-merge takes one --label, not \(labels.count)")
    }
    guard let outcome = write(merged, to: output, in: session) else { return }
    report(
      outcome, about: inputs[1], named: labels.first, isSilent: invocation.has(.silent),
      in: session)
  }

  /// Writes the result, or reports why it cannot; our file is replaced under its lock.
  private static func write(
    _ merged: MergedFile, to output: OutputPlace?, in session: Session
  ) -> MergedFile.Outcome? {
    let ours = merged.ours
    guard let output else {
      var outcome: MergedFile.Outcome?
      session.reporting(about: ours.name) {
        try ours.replace { data in
          let result = merged.outcome(for: data)
          outcome = result
          return result.data
        }
      }
      return outcome
    }
    guard let data = ours.readData(in: session) else { return nil }
    let outcome = merged.outcome(for: data)
    return output.write(outcome.data ?? data, in: session) ? outcome : nil
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
  /// The new contents of our file; nil if it is left unchanged.
  fileprivate var data: Data? {
    switch self {
    case .unchanged: nil
    case .merged(let data, _), .conflicts(_, let data), .failure(_, let data): data
    }
  }
}
