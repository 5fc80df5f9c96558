#if Etcd
  import Foundation
  import TestSupport
  import Testing
  import Threading

  /// A machine of a fleet: processes of `FleetTestProgram`, one after the other, in one folder.
  final class MachineProcess: Sendable {
    private struct State {
      var process: ChildProcess?
      /// The lines that a caller waits for, or that come before one.
      var lines: [String] = []
      /// The beginnings of lines that a caller waits for.
      var awaited: [String] = []
      /// The number of the present process.
      var life = 0
      var isReading = false
    }

    let folder: TemporaryFolder
    let host: TestNetwork.Host?
    private let settings: [String: String]
    private let onLine: @Sendable ([String]) -> Void
    private let state = Lock(State())

    /// - Parameters:
    ///   - settings: The arguments of the program but for the folder.
    ///   - host: Where it runs; nil for loopback.
    ///   - isInMemory: Whether its files are in memory, so that many machines need not wait for one
    ///     disk, which they would not share.
    ///   - onLine: Called with the words of each line that the process prints, in their order.
    init(
      _ settings: [String: String], on host: TestNetwork.Host? = nil, isInMemory: Bool = false,
      onLine: @escaping @Sendable ([String]) -> Void = { _ in }
    ) throws {
      folder = try TemporaryFolder(isInMemory: isInMemory)
      self.settings = settings
      self.host = host
      self.onLine = onLine
    }

    deinit {
      kill()
    }

    // MARK: The process

    /// Starts a process.
    ///
    /// - Parameter more: Settings in addition.
    func launch(_ more: [String: String] = [:]) throws {
      let program = BuiltProgram("FleetTestProgram").path
      let arguments = settings.merging(more) { $1 }.merging(["folder": folder.path]) { $1 }
        .map { "\($0)=\($1)" }
      let process = try ChildProcess(
        host == nil ? program : "/usr/bin/nsenter",
        host?.arguments(program, arguments) ?? arguments, in: folder,
        // Many processes on one machine report that they poll.
        output: settings["quiet"] == nil ? .pipe : .pipeWithoutErrors)
      state.withLock { state in
        state.process = process
        state.lines = []
        state.life += 1
        state.isReading = true
      }
      Thread.detachNewThread { [state, onLine] in
        var rest = Data()
        while let data = process.read() {
          rest += data
          while let end = rest.firstIndex(of: 0x0A) {
            let line = String(decoding: rest[rest.startIndex..<end], as: UTF8.self)
            state.withLock { state in
              if line.hasPrefix("value ") || state.awaited.contains(where: line.hasPrefix) {
                state.lines.append(line)
              }
            }
            onLine(line.split(separator: " ", maxSplits: 3).map(String.init))
            rest = Data(rest[rest.index(after: end)...])
          }
        }
        state.withLock { $0.isReading = false }
      }
    }

    /// Kills the process, and waits until all that it has printed is taken.
    func kill() {
      let process = state.withLock { state in
        defer { state.process = nil }
        return state.process
      }
      guard let process else { return }
      process.kill()
      _ = eventually { state.withLock { !$0.isReading } }
    }

    func signal(_ number: Int32) {
      state.withLock { $0.process }?.signal(number)
    }

    // MARK: Commands

    /// Sends a command; it is lost if the process has ended.
    func send(_ line: String) {
      state.withLock { $0.process }?.write(line)
    }

    /// Sends a command, and waits for a line.
    ///
    /// - Returns: The line; nil if the process has ended before.
    func answer(_ command: String, to prefixes: String...) async throws -> String? {
      let life = state.withLock { state in
        state.awaited += prefixes
        return state.life
      }
      defer {
        state.withLock { state in
          for prefix in prefixes {
            if let index = state.awaited.firstIndex(of: prefix) { state.awaited.remove(at: index) }
          }
        }
      }
      send(command)
      var line: String?
      // Hundreds of processes share two processors in some tests.
      let hasEnded = await eventually(within: .seconds(600)) {
        state.withLock { state in
          guard state.life == life else { return true }
          let index = state.lines.firstIndex { line in prefixes.contains { line.hasPrefix($0) } }
          if let index { line = state.lines.remove(at: index) }
          return line != nil || state.process == nil || !state.isReading
        }
      }
      try #require(hasEnded, "\(command): no answer")
      return line
    }

    /// Waits until all work is complete.
    func waitForCompletion() async throws {
      let name = UUID().uuidString
      let line = try await answer("wait \(name)", to: "completed \(name)", "failed \(name)")
      try #require(line?.hasPrefix("completed") == true, "\(line ?? "the process has ended")")
    }

    /// The values of all keys: the command `values` prints the store's, `remote` the cluster's.
    func values(_ command: String = "values") async throws -> [String: String] {
      let line = try await answer(command, to: "end \(command)", "failed \(command)")
      try #require(line?.hasPrefix("end") == true, "\(line ?? "the process has ended")")
      let lines = state.withLock { state in
        defer { state.lines.removeAll { $0.hasPrefix("value ") } }
        return state.lines.filter { $0.hasPrefix("value ") }
      }
      return Dictionary(
        lines.compactMap { line in
          let words = line.split(separator: " ", maxSplits: 2).map(String.init)
          return words.count == 3 ? (words[1], words[2]) : nil
        }
      ) { $1 }
    }
  }
#endif
