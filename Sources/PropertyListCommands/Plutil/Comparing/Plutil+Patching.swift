internal import CommandLineInterface
internal import PropertyList

/// `-patch`
extension Plutil {
  /// Applies the changes in a file of differences to another file. The exit status is 1 if there
  /// are conflicts, and 2 if the files cannot be read or written.
  static func patch(_ invocation: Invocation, in session: Session) throws(UsageError) {
    session.failureStatus = troubleStatus
    let output = try Output.all(of: invocation, default: .inPlace)[0]
    guard let lines = try lines(of: invocation, in: session) else { return }
    var changes: [PatchChange] = []
    for line in lines {
      do {
        changes.append(try PatchChange(try line.object))
      } catch {
        return session.report("line \(line.number): \(error)", about: line.file)
      }
    }
    output.transform(silent: invocation.has(.silent), in: session) { document, data in
      let (edits, conflicts) = edits(making: changes, in: document.value)
      guard conflicts.isEmpty else {
        for conflict in conflicts {
          let place = conflict.path.isRoot ? "the root" : conflict.path.excerpt
          session.note("\(output.input.name): conflict at \(place): \(conflict.reason)")
        }
        session.failureStatus = 1
        let count = conflicts.count.counted("conflict")
        throw CommandFailure("nothing was changed because of \(count)")
      }
      return try contents(of: output, making: edits, in: document, data, invocation)
    }
  }

  /// The edits that make the changes, each applied to the result of the previous ones, and the
  /// changes that are not possible.
  private static func edits(
    making changes: [PatchChange], in root: PlistValue
  ) -> (edits: [Edit], conflicts: [PatchChange.Conflict]) {
    var root = root
    var edits: [Edit] = []
    var conflicts: [PatchChange.Conflict] = []
    // After an omitted change, later indices refer to different elements.
    var skipped: [PlistKeyPath] = []
    for change in changes
    where !skipped.contains(where: { change.path.components.starts(with: $0.components) }) {
      do throws(PatchChange.Conflict) {
        guard let edit = try change.edit(of: root) else { continue }
        guard (try? edit.apply(to: &root)) != nil else {
          throw PatchChange.Conflict(path: change.path, reason: "the change is not possible")
        }
        edits.append(edit)
      } catch {
        conflicts.append(error)
        if change.old == nil || change.new == nil, case .array? = root[change.container] {
          skipped.append(change.container)
        }
      }
    }
    return (edits, conflicts)
  }
}
