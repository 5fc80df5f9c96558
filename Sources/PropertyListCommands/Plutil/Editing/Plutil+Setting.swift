internal import CommandLineInterface
internal import PropertyList

/// `-set`
extension Plutil {
  /// Sets the values that lines of `-find` describe.
  static func set(_ invocation: Invocation, in session: Session) throws(UsageError) {
    let output = try Output.all(of: invocation, default: .inPlace)[0]
    guard let lines = try lines(of: invocation, in: session) else { return }
    var found: [(line: TextLine, value: FoundLine)] = []
    for line in lines {
      do {
        let value = try FoundLine(line, fileNamed: output.input.operand)
        if let first = found.first, !first.value.file.hasSameBytes(as: value.file) {
          throw CommandFailure("the line is about another file than line \(first.line.number)")
        }
        found.append((line, value))
      } catch {
        return session.report("line \(line.number): \(error)", about: line.file)
      }
    }
    output.transform(silent: invocation.has(Option.silent), in: session) { document, data in
      var root = document.value
      var edits: [Edit] = []
      for (line, value) in found {
        do {
          for edit in try value.edits(of: root) {
            try edit.apply(to: &root)
            edits.append(edit)
          }
        } catch {
          throw CommandFailure("\(error) (line \(line.number) of \(line.file))")
        }
      }
      return try contents(of: output, making: edits, in: document, data, invocation)
    }
  }
}

extension FoundLine {
  /// The edits by which a property list gets the value of the line, with the containers around it.
  func edits(of root: PlistValue) throws -> [Edit] {
    let present = root[path]
    if let present, matches(present) { return [] }
    guard case .value(let value) = content else {
      throw CommandFailure(
        "\(path.isRoot ? "the root" : path.excerpt) is printed without some of its bytes; use -find --json"
      )
    }
    if let present, present.kind == value.kind, value == .dictionary([:]) || value == .array([]) {
      return []
    }
    var edits: [Edit] = []
    for count in path.components.indices.dropFirst() {
      let outer = PlistKeyPath(components: Array(path.components[..<count]))
      guard root[outer] == nil else { continue }
      let next = path.components[count]
      guard next == "0" || next.utf8.contains(where: { !(0x30...0x39 ~= $0) }) else {
        throw CommandFailure("there is no \(outer.excerpt) that could have an element \(next)")
      }
      edits.append(edit(at: outer, next == "0" ? .array([]) : [:], root))
    }
    return edits + [edit(at: path, value, root)]
  }

  /// An element behind the last one is inserted.
  private func edit(at path: PlistKeyPath, _ value: PlistValue, _ root: PlistValue) -> Edit {
    let container = root[PlistKeyPath(components: path.components.dropLast())]
    if root[path] == nil, !path.isRoot {
      switch container {
      case .array?: return Edit(path: path, action: .insert(value))
      case nil where path.components.last == "0": return Edit(path: path, action: .insert(value))
      default: break
      }
    }
    return Edit(path: path, action: .replace(value))
  }
}
