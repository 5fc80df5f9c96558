internal import PropertyList

/// Why the text of a person was not applied.
enum EditProblem {
  case error(any Error)
  case conflicts([PlistMerge.Conflict])

  var isConflict: Bool { if case .conflicts = self { true } else { false } }

  /// The lines above the text when it is edited again. Line numbers count these lines as well.
  var notice: [String] {
    let hint =
      isConflict
      ? "Change the text, or remove these lines, to decide."
      : "These lines are removed when the text is read."
    return lines(below: lines().count + 1) + [hint]
  }

  /// One or more lines of text.
  ///
  /// - Parameter count: The number of lines above the text.
  func lines(below count: Int = 0) -> [String] {
    switch self {
    case .error(var error as PlistError):
      error.location = error.location?.moved(by: count)
      return ["\(error)"]
    case .error(var error as RepeatedKey):
      error.location = error.location?.moved(by: count)
      return ["\(error)"]
    case .error(let failure as CommandFailure): return failure.lines
    case .error(let error): return ["\(error)"]
    case .conflicts(let conflicts): return conflicts.map(Self.text)
    }
  }

  private static func text(of conflict: PlistMerge.Conflict) -> String {
    let place = conflict.path.isRoot ? "the root" : conflict.path.excerpt
    let (base, theirs, ours) = (conflict.base, conflict.theirs, conflict.ours)
    return "conflict at \(place): was \(text(of: base)), is now \(text(of: theirs)), "
      + "your text has \(text(of: ours))"
  }

  private static func text(of value: PlistValue?) -> String {
    value?.textOnOneLine ?? "no value"
  }
}

extension PlistError.Location {
  /// The location if so many lines are inserted above.
  fileprivate func moved(by count: Int) -> Self {
    guard case .line(let line, let column) = self else { return self }
    return .line(line + count, column: column)
  }
}
