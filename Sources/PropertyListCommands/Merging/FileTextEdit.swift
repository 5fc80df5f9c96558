internal import CommandLineInterface
internal import FileStorage
internal import FoundationEssentials
internal import Glibc
internal import PropertyList

/// What a person makes of the text of a file, which is merged with what others have made of it.
struct FileTextEdit {
  let input: InputFile
  let form: TextForm
  /// The text that the person's changes are compared with.
  var base: Data

  /// Applies a text to the file under its lock.
  mutating func apply(_ text: Data) throws -> EditOutcome {
    // The error of a malformed text is that of the person's, with its line.
    _ = try form.value(of: text)
    let base = base
    var warnings: [String] = []
    var isSaved = false
    var values: (old: PlistValue, new: PlistValue)?
    var conflict: (outcome: EditOutcome, present: Data)?
    try AtomicFile(input.operand).update(limit: PlistLimits().maximumSize) { present in
      (warnings, values, conflict) = ([], nil, nil)
      guard let old = present.contents?.data else { throw FileSystemError(.open, code: ENOENT) }
      func merge(for side: MergedFile.Side?) -> MergedFile.Outcome {
        MergedFile(
          base: (input, base), theirs: (input, old), ours: input, winner: side,
          isReformatted: false
        ).outcome(for: text)
      }
      let new: Data
      switch merge(for: nil) {
      case .unchanged: new = text
      case .merged(let data, let notes): (new, warnings) = (data, notes)
      case .conflicts(let conflicts, _):
        guard case .merged(let merged, _) = merge(for: .ours) else {
          conflict = (.conflicts(conflicts, text: text), old)
          return nil
        }
        conflict = (.conflicts(conflicts, text: merged), old)
        return nil
      case .failure(let problems, _): throw CommandFailure(problems.map(\.message))
      }
      values = (try input.open(old).document.value, try input.open(new).document.value)
      isSaved = new != old
      return isSaved ? new : nil
    }
    if let conflict {
      self.base = conflict.present
      return conflict.outcome
    }
    return .applied(
      values.map { $0.old.differences(to: $0.new) } ?? [], isSaved: isSaved, warnings: warnings)
  }
}
