import Foundation
import TestSupport

/// The changes of a program to the files of a folder, step by step, and all states that a crash of
/// the machine at any time may have left.
///
/// The model assumes nothing that POSIX does not promise. Until a file is synced, any part of what
/// was written to it may be on the disk and any other part not. Until a folder is synced, each
/// change of its names may be on the disk or not, independently of the others. Only a single change
/// of names, such as a rename, is on the disk as a whole or not at all.
struct DiskHistory {
  /// A file or folder, whatever names it has.
  typealias Node = Int

  enum Step {
    case write(to: Node, at: Int, [UInt8])
    case truncate(Node, to: Int)
    /// New meanings of names in a folder; nil for those that are removed.
    case rename(in: Node, [String: Node?])
    case sync(Node)
    /// The program reported that everything up to here was saved.
    case acknowledge

    /// The file or folder that is changed; nil for a step that changes none.
    fileprivate var changed: Node? {
      switch self {
      case .write(let node, _, _), .truncate(let node, _), .rename(let node, _): node
      case .sync, .acknowledge: nil
      }
    }
  }

  /// The files of a state by their paths, with nil for folders.
  typealias State = [String: [UInt8]?]

  /// A state after a crash.
  struct Crash {
    var state: State
    /// The number of acknowledgments before the crash.
    var acknowledged: Int
    /// The number of steps before the crash.
    var step: Int
  }

  static let root: Node = 0
  private(set) var steps: [Step] = []
  /// The folders among the nodes.
  private var folders: Set<Node> = [root]
  /// The names in each folder and the contents of each file before the first step.
  private var initialNames: [Node: [String: Node]] = [root: [:]]
  private var initialData: [Node: [UInt8]] = [:]
  private var nodes = 1

  // MARK: Recording

  /// Reads a history from a trace.
  ///
  /// - Parameters:
  ///   - trace: The output of `strace -f -xx -s <large>` with all calls that change files.
  ///   - folder: The path of the folder.
  ///   - before: The files in it before.
  ///   - output: Whether a line of standard output is an acknowledgment, rather than a successful
  ///     exit.
  init(
    _ trace: SystemCallTrace, of folder: String, before: [String: Data],
    isAcknowledgedByOutput output: Bool
  ) throws {
    for (name, data) in before {
      initialNames[Self.root]?[name] = nodes
      initialData[nodes] = [UInt8](data)
      nodes += 1
    }
    var recorder = Recorder(folder: folder, names: initialNames, next: nodes)
    for call in trace.calls { try recorder.record(call, isAcknowledgedByOutput: output) }
    steps = recorder.steps
    folders = recorder.folders
    nodes = recorder.next
  }

  /// The same history without the syncs that a closure picks, to show what they are needed for.
  func removingSyncs(where isRemoved: (_ isFolder: Bool) -> Bool) -> DiskHistory {
    var other = self
    other.steps = steps.filter { step in
      guard case .sync(let node) = step else { return true }
      return !isRemoved(folders.contains(node))
    }
    return other
  }

  // MARK: Crashes

  /// Calls a closure for each different state that a crash may leave.
  ///
  /// - Returns: The number of combinations that were checked.
  func forEachCrash(_ body: (Crash) throws -> Void) throws -> Int {
    var combinations = 0
    var seen: Set<State> = []
    var acknowledged = 0
    for end in 0...steps.count {
      if end > 0, case .acknowledge = steps[end - 1] {
        acknowledged += 1
        // States that were allowed before may no longer be allowed.
        seen = []
      }
      let pending = (0..<end).filter { !isDurable($0, before: end) }
      let choices = pending.map { variants(of: steps[$0]) }
      let count = choices.reduce(1) { $0 * $1.count }
      guard count <= 1 << 16 else { throw Failure(description: "\(count) states at \(end)") }
      for number in 0..<count {
        var rest = number
        var chosen: [Int: [Step]] = [:]
        for (index, choice) in zip(pending, choices) {
          chosen[index] = choice[rest % choice.count]
          rest /= choice.count
        }
        let steps = (0..<end).flatMap { chosen[$0] ?? [self.steps[$0]] }
        let state = state(after: steps)
        combinations += 1
        guard seen.insert(state).inserted else { continue }
        try body(Crash(state: state, acknowledged: acknowledged, step: end))
      }
    }
    return combinations
  }

  /// Whether a step is on the disk for certain when the machine crashes before another.
  private func isDurable(_ index: Int, before end: Int) -> Bool {
    guard let changed = steps[index].changed else { return true }
    return steps[index..<end].contains { step in
      if case .sync(changed) = step { true } else { false }
    }
  }

  /// The parts of a step that may be on the disk before it is synced.
  private func variants(of step: Step) -> [[Step]] {
    guard case .write(let node, let offset, let bytes) = step else { return [[], [step]] }
    // Four parts. If one is missing, the file has zeros there, or ends before.
    let size = max(1, (bytes.count + 3) / 4)
    let parts = stride(from: 0, to: bytes.count, by: size).map { start in
      Step.write(
        to: node, at: offset + start, Array(bytes[start..<min(start + size, bytes.count)]))
    }
    let zeros = Step.write(to: node, at: offset, Array(repeating: 0, count: bytes.count))
    return (0..<(1 << parts.count)).flatMap { subset -> [[Step]] in
      let written = parts.indices.filter { subset & 1 << $0 != 0 }.map { parts[$0] }
      return [written, [zeros] + written]
    }
  }

  /// The files after some steps.
  private func state(after steps: [Step]) -> State {
    var names = initialNames
    var data = initialData
    for step in steps {
      switch step {
      case .write(let node, let offset, let bytes):
        var file = data[node] ?? []
        file += Array(repeating: 0, count: max(0, offset + bytes.count - file.count))
        file.replaceSubrange(offset..<(offset + bytes.count), with: bytes)
        data[node] = file
      case .truncate(let node, let size):
        let file = data[node] ?? []
        data[node] = file.prefix(size) + Array(repeating: 0, count: max(0, size - file.count))
      case .rename(let folder, let changes):
        for (name, node) in changes { names[folder, default: [:]][name] = node }
      case .sync, .acknowledge: break
      }
    }
    var state: State = [:]
    func visit(_ folder: Node, _ path: String) {
      for (name, node) in names[folder] ?? [:] {
        if folders.contains(node) {
          state.updateValue(nil, forKey: path + name)
          visit(node, path + name + "/")
        } else {
          state[path + name] = data[node] ?? []
        }
      }
    }
    visit(Self.root, "")
    return state
  }

  /// A trace that the model does not understand, or a history that is too large for it.
  struct Failure: Error, CustomStringConvertible {
    var description: String
  }
}

// MARK: - Recorder

extension DiskHistory {
  /// Follows the calls of a program and notes what they do to the files of a folder.
  private struct Recorder {
    let folder: String
    var names: [Node: [String: Node]]
    var next: Node
    var folders: Set<Node> = [root]
    var steps: [Step] = []

    private struct OpenFile {
      var node: Node
      var offset = 0
      var appends = false
    }

    /// The open files of the folder by their descriptors.
    private var files: [Int: OpenFile] = [:]

    init(folder: String, names: [Node: [String: Node]], next: Node) {
      self.folder = folder
      self.names = names
      self.next = next
    }

    mutating func record(_ call: SystemCallTrace.Call, isAcknowledgedByOutput: Bool) throws {
      let arguments = Self.split(call.arguments)
      if call.name == "exit_group" {
        if !isAcknowledgedByOutput, arguments.first == "0" { steps.append(.acknowledge) }
        return
      }
      guard let result = call.result.flatMap({ Int($0.prefix { $0.isNumber }) }) else { return }
      let descriptor = arguments.first.flatMap { Int($0) }
      switch call.name {
      case "openat": openFile(arguments, result)
      case "close": if let descriptor { files[descriptor] = nil }
      case "fcntl":
        if let descriptor, arguments[1].hasPrefix("F_DUPFD") { files[result] = files[descriptor] }
      case "dup": if let descriptor { files[result] = files[descriptor] }
      case "write":
        if descriptor == Int(STDOUT_FILENO), isAcknowledgedByOutput { steps.append(.acknowledge) }
        guard let descriptor, let file = files[descriptor] else { return }
        let bytes = Array(Self.bytes(arguments[1]).prefix(result))
        guard bytes.count == result, !file.appends else { throw unknown(call) }
        steps.append(.write(to: file.node, at: file.offset, bytes))
        files[descriptor]?.offset += result
      case "ftruncate":
        guard let file = descriptor.flatMap({ files[$0] }) else { return }
        guard let size = Int(arguments[1]) else { throw unknown(call) }
        steps.append(.truncate(file.node, to: size))
      case "fsync", "fdatasync":
        if let file = descriptor.flatMap({ files[$0] }) { steps.append(.sync(file.node)) }
      case "mkdir", "mkdirat":
        let path = call.name == "mkdir" ? ["AT_FDCWD"] + arguments : arguments
        guard let (parent, name) = place(path[0], path[1]) else { return }
        folders.insert(next)
        names[next] = [:]
        change(parent, [name: next])
        next += 1
      case "rename", "renameat", "renameat2":
        let paths =
          call.name == "rename"
          ? ["AT_FDCWD", arguments[0], "AT_FDCWD", arguments[1]] : arguments
        guard let (from, old) = place(paths[0], paths[1]), let (to, new) = place(paths[2], paths[3])
        else { return }
        let flags = call.name == "renameat2" ? arguments[4] : "0"
        let (former, replaced) = (names[from]?[old] ?? nil, names[to]?[new] ?? nil)
        guard from == to, let node = former else { throw unknown(call) }
        switch flags {
        case "0", "RENAME_NOREPLACE": change(from, [old: nil, new: node])
        case "RENAME_EXCHANGE": change(from, [old: replaced, new: node])
        default: throw unknown(call)
        }
      case "unlink", "unlinkat":
        let path = call.name == "unlink" ? ["AT_FDCWD"] + arguments : arguments
        if let (parent, name) = place(path[0], path[1]) { change(parent, [name: nil]) }
      case "fstat", "newfstatat", "statx", "fchmod", "fchown", "fsetxattr", "fremovexattr": break
      default:
        // Other calls that change a file of the folder must be added above.
        if descriptor.flatMap({ files[$0] }) != nil || call.arguments.contains(hex(folder)) {
          throw unknown(call)
        }
      }
    }

    private func unknown(_ call: SystemCallTrace.Call) -> Failure {
      Failure(description: "\(call.name)(\(call.arguments))")
    }

    private mutating func change(_ folder: Node, _ changes: [String: Node?]) {
      for (name, node) in changes { names[folder, default: [:]][name] = node }
      steps.append(.rename(in: folder, changes))
    }

    private mutating func openFile(_ arguments: [String], _ descriptor: Int) {
      // A descriptor that was closed by another program, or together with it.
      files[descriptor] = nil
      let flags = Set(arguments[2].split(separator: "|"))
      guard let (parent, name) = place(arguments[0], arguments[1]) else {
        if node(arguments[0], arguments[1]) == root { files[descriptor] = OpenFile(node: root) }
        return
      }
      if names[parent]?[name] == nil, flags.contains("O_CREAT") {
        change(parent, [name: next])
        next += 1
      }
      guard let node = names[parent]?[name] else { return }
      files[descriptor] = OpenFile(node: node, appends: flags.contains("O_APPEND"))
      if flags.contains("O_TRUNC") { steps.append(.truncate(node, to: 0)) }
    }

    /// The folder and the name that a path leads to; nil outside the folder and for the folder
    /// itself.
    private func place(_ directory: String, _ path: String) -> (Node, String)? {
      guard let words = words(directory, path), let name = words.names.last else { return nil }
      guard let parent = walk(words.start, words.names.dropLast()) else { return nil }
      // The folder that contains another one, which is needed for syncing it.
      if name == ".." { return nil }
      return (parent, name)
    }

    private func node(_ directory: String, _ path: String) -> Node? {
      words(directory, path).flatMap { walk($0.start, $0.names[...]) }
    }

    /// The node where a path continues, and the names on the way.
    private func words(_ directory: String, _ path: String) -> (start: Node, names: [String])? {
      var path = String(decoding: Self.bytes(path), as: UTF8.self)
      var start = root
      if let descriptor = Int(directory), !path.hasPrefix("/") {
        guard let file = files[descriptor] else { return nil }
        start = file.node
      } else {
        guard path == folder || path.hasPrefix(folder + "/") else { return nil }
        path = String(path.dropFirst(folder.count))
      }
      var names: [String] = []
      for name in path.split(separator: "/").map(String.init) where name != "." {
        if name == "..", !names.isEmpty { names.removeLast() } else { names.append(name) }
      }
      return (start, names)
    }

    private func walk(_ start: Node, _ path: ArraySlice<String>) -> Node? {
      path.reduce(start) { folder, name in folder.flatMap { names[$0]?[name] } }
    }

    private func hex(_ text: String) -> String {
      text.utf8.map { "\\x" + (($0 < 16 ? "0" : "") + String($0, radix: 16)) }.joined()
    }

    /// Splits arguments at commas outside quotes and braces.
    private static func split(_ arguments: String) -> [String] {
      var result = [""]
      var depth = 0
      for character in arguments {
        switch character {
        case "{", "[", "(": depth += 1
        case "}", "]", ")": depth -= 1
        default: break
        }
        if depth < 0 { break }
        if character == ",", depth == 0 {
          result.append("")
        } else {
          result[result.count - 1].append(character)
        }
      }
      return result.map { $0.trimmingCharacters(in: .whitespaces) }
    }

    /// The bytes of a string that strace prints in hexadecimal.
    private static func bytes(_ argument: String) -> [UInt8] {
      argument.split(separator: "\\x", omittingEmptySubsequences: true)
        .compactMap { UInt8($0.prefix(2), radix: 16) }
    }
  }
}
