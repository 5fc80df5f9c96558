#if Etcd
  import Foundation
  import SyncHistories
  import TestSupport
  import Testing
  import Threading

  /// A machine whose writes and values are recorded in a history.
  final class FleetMachine: Sendable {
    private struct State {
      var isRunning = false
      /// How far the clock is ahead, in seconds.
      var clock = 0.0
      /// The saved writes that no wait for completion has confirmed.
      var saved: [Int] = []
      /// The writes that each wait for completion confirms.
      var waits: [String: [Int]] = [:]
      /// When the last wait for completion that confirmed writes ended.
      var lastUpload = ContinuousClock.now
    }

    let number: Int
    let process: MachineProcess
    private let log: HistoryLog
    private let state: Lock<State>

    init(
      _ number: Int, _ settings: [String: String], on host: TestNetwork.Host?, _ log: HistoryLog
    ) throws {
      self.number = number
      self.log = log
      let state = Lock(State())
      self.state = state
      process = try MachineProcess(settings, on: host) { words in
        Self.take(words, number, log, state)
      }
    }

    private static func take(
      _ words: [String], _ machine: Int, _ log: HistoryLog, _ state: Lock<State>
    ) {
      guard words.count > 1 else { return }
      switch words[0] {
      case "observed":
        log.record(
          .observed(machine: machine, key: words[2], value: words.count > 3 ? words[3] : nil))
      case "saved":
        guard let number = Int(words[1]) else { return }
        log.record(.saved(number))
        state.withLock { $0.saved.append(number) }
      case "skipped": if let number = Int(words[1]) { log.record(.skipped(number)) }
      case "completed":
        let confirmed = state.withLock { state in
          let confirmed = state.waits.removeValue(forKey: words[1]) ?? []
          state.saved.removeAll { confirmed.contains($0) }
          if !confirmed.isEmpty { state.lastUpload = .now }
          return confirmed
        }
        for number in confirmed { log.record(.uploaded(number)) }
      default: break
      }
    }

    var isRunning: Bool { state.withLock { $0.isRunning } }

    /// When the last wait for completion that confirmed writes has ended.
    var lastUpload: ContinuousClock.Instant { state.withLock { $0.lastUpload } }

    // MARK: What its user does

    /// Sets a key to a new value, or removes it.
    ///
    /// - Returns: Whether the machine has acknowledged that the value is saved.
    func write(_ key: String, isRemoval: Bool = false) async throws -> Bool {
      let write = log.recordWrite(machine: number, key: key, isRemoval: isRemoval)
      let command =
        write.value.map { "set \(write.number) \(key) \($0)" } ?? "remove \(write.number) \(key)"
      let line = try await process.answer(
        command, to: "saved \(write.number) ", "skipped \(write.number)",
        "unsaved \(write.number) ")
      return line?.hasPrefix("unsaved") == false
    }

    /// Begins to wait until all that is saved so far is uploaded.
    func beginUpload() {
      let name = UUID().uuidString
      state.withLock { $0.waits[name] = $0.saved }
      process.send("wait \(name)")
    }

    /// Waits until all that is saved so far is uploaded.
    func upload() async throws {
      let name = UUID().uuidString
      state.withLock { $0.waits[name] = $0.saved }
      let line = try await process.answer("wait \(name)", to: "completed \(name)", "failed \(name)")
      try #require(line?.hasPrefix("completed") == true, "\(line ?? "the process has ended")")
    }

    // MARK: What happens to it

    func launch() async throws {
      let clock = state.withLock { $0.clock }
      try await blocking { [process] in try process.launch(["clock": "\(clock)"]) }
      state.withLock { $0.isRunning = true }
    }

    func kill() async throws {
      state.withLock { $0.isRunning = false }
      try await blocking { [process] in process.kill() }
      log.record(.ended(machine: number))
      state.withLock { $0.waits = [:] }
    }

    func setClock(_ offset: Double) {
      state.withLock { $0.clock = offset }
      process.send("clock \(offset)")
    }
  }
#endif
