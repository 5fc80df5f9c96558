internal import PropertyList

/// Why the text of a person was not applied.
enum EditProblem {
  case error(any Error)
  case conflicts([PlistMerge.Conflict])

  var isConflict: Bool { if case .conflicts = self { true } else { false } }

  /// The lines above the text when it is edited again.
  ///
  /// - Parameter lines: The number of each line of the text, counted without the lines above it.
  func notice(numbering lines: [Int]) -> [String] {
    let count = texts().count + 1
    let hint =
      isConflict
      ? "Change the text, or remove these lines, to decide."
      : "These lines are removed when the text is read."
    let texts =
      switch self {
      case .error: texts { lines.indices.contains($0 - 1) ? lines[$0 - 1] + count : $0 + count }
      case .conflicts(let conflicts): conflicts.map(Self.values)
      }
    return texts + [hint]
  }

  /// One or more lines of text, without values.
  ///
  /// - Parameter number: The number to print for that of a line.
  func texts(_ number: (Int) -> Int = { $0 }) -> [String] {
    switch self {
    case .error(var error as PlistError):
      error.location = error.location?.renumbered(number)
      return ["\(error)"]
    case .error(var error as RepeatedKey):
      error.location = error.location?.renumbered(number)
      return ["\(error)"]
    case .error(let refusal as RefusedValues): return refusal.texts(number)
    case .error(let failure as CommandFailure): return failure.lines
    case .error(let error): return ["\(error)"]
    case .conflicts(let conflicts):
      return conflicts.map {
        "conflict at \(Self.place(of: $0)): another program has changed the same value"
      }
    }
  }

  /// What a person needs to decide about a conflict. The text below has the values as well.
  private static func values(of conflict: PlistMerge.Conflict) -> String {
    let (base, theirs, ours) = (conflict.base, conflict.theirs, conflict.ours)
    return "conflict at \(place(of: conflict)): was \(text(of: base)), is now \(text(of: theirs)), "
      + "your text has \(text(of: ours))"
  }

  private static func place(of conflict: PlistMerge.Conflict) -> String {
    conflict.path.isRoot ? "the root" : conflict.path.excerpt
  }

  private static func text(of value: PlistValue?) -> String {
    value?.textOnOneLine ?? "no value"
  }
}

extension PlistError.Location {
  /// The location with another number of its line.
  fileprivate func renumbered(_ number: (Int) -> Int) -> Self {
    guard case .line(let line, let column) = self else { return self }
    return .line(number(line), column: column)
  }
}
