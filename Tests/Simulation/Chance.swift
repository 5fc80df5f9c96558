import TestSupport

/// Chooses what happens next. The same seed makes the same choices.
struct Chance {
  private var generator: SeededGenerator
  private var current = Schedule.Setting()
  /// Out of a thousand choices, how many are faults.
  private var faults = 0
  private var removesLocks = false
  /// The process that has run last, which often continues.
  private var last = 0
  /// The actions that follow in any case.
  private var next: [Action] = []
  /// The number of actions to come.
  private var rest = 0
  /// A process that has stopped, and is not resumed for a while.
  private var stopped: Int?

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  private mutating func number(_ range: Range<Int>) -> Int { .random(in: range, using: &generator) }

  private mutating func one<Value>(of values: [Value]) -> Value { values[number(0..<values.count)] }

  mutating func setting() -> Schedule.Setting {
    var setting = Schedule.Setting()
    setting.processes = one(of: [2, 2, 2, 3, 3, 4, 8])
    setting.observers = one(of: [0, 1, 8, 8])
    setting.resolution = one(of: [1, 4_000_000, 1_000_000_000, 2_000_000_000])
    setting.delay = one(of: [0, 50, 50, 1000])
    setting.checks = number(0..<4) == 0
    setting.copies = number(0..<4) == 0
    setting.hasFolder = number(0..<8) != 0
    setting.polls = number(0..<4) == 0
    faults = one(of: [0, 5, 20, 100])
    // A process that continues after a stop cannot know that its lock file was removed.
    removesLocks = number(0..<4) == 0
    current = setting
    return setting
  }

  mutating func length() -> Int {
    rest = one(of: [10, 50, 100, 200, 400, 1000])
    return rest
  }

  mutating func action(in simulation: Simulation) -> Action {
    rest -= 1
    if rest == 6, faults > 0 {
      // Does a process that fails to read the last change, for longer than a program takes to write
      // the file, read it later?
      let reader = number(0..<current.processes)
      let failure = Action.fail(reader, one(of: Action.faults.keys.sorted()))
      next = [
        .foreign(.replace), .event(reader), failure, .wait(600), .event(reader), failure,
      ]
      return .settle
    }
    if !next.isEmpty { return next.removeFirst() }
    if number(0..<1000) < faults { return fault(in: simulation, of: number(0..<current.processes)) }
    // Rare steps also meet faults.
    let rare = simulation.processes.firstIndex { process in
      process?.stop.map { Self.rareSteps.contains($0.step) } ?? false
    }
    if let rare, faults > 0, number(0..<8) == 0 { return fault(in: simulation, of: rare) }
    let absent = simulation.processes.indices.filter { simulation.processes[$0] == nil }
    if let process = absent.first, number(0..<10) < 3 { return .start(process) }
    if !removesLocks, number(0..<200) == 0 { stopped = number(0..<current.processes) }
    if stopped != nil, number(0..<40) == 0 { stopped = nil }

    let running = simulation.processes.indices.filter { index in
      index != stopped && simulation.processes[index]?.mayContinue == true
    }
    if !running.isEmpty, number(0..<10) < 7 {
      if !running.contains(last) || number(0..<4) == 0 { last = one(of: running) }
      return .step(last)
    }
    let process = number(0..<current.processes)
    guard let present = simulation.processes[process] else { return .start(process) }
    present.advanceClock()
    if !present.isBusy, present.isAlarmDue, number(0..<2) == 0 { return .alarm(process) }
    if !present.isBusy, present.hasEvent, number(0..<3) == 0 { return .event(process) }
    let key = one(of: SimulatedProcess.keys)
    switch number(0..<20) {
    case 0..<7: return .set(process, key)
    case 7: return .remove(process, key)
    case 8: return number(0..<4) == 0 ? .removeAll(process) : .set(process, key)
    case 9, 10: return .update(process, key)
    case 11, 12: return .flush(process)
    case 13: return .read(process)
    case 14: return .delay(process, one(of: [0, 50, 1000, 60_000]))
    case 15: return .event(process)
    case 16: return .alarm(process)
    default:
      let mayPass = !removesLocks || simulation.machine.folderHolder == nil
      return .wait(mayPass ? one(of: [1, 10, 60, 300, 2000]) : 1)
    }
  }

  private static let rareSteps: Set<Step> = [
    .createFolder, .renewLock, .flushPresent, .moveAside,
  ]

  private mutating func fault(in simulation: Simulation, of process: Int) -> Action {
    switch number(0..<20) {
    case 0..<8:
      if simulation.processes[process]?.stop?.step == .flushFolder, number(0..<2) == 0 {
        // What happens if the next attempt succeeds, and then the machine crashes?
        let steps = Array(repeating: Action.step(process), count: 12)
        next = steps + [.wait(2000), .alarm(process)] + steps + [.crash(generator.next() >> 1)]
      }
      return .fail(process, one(of: Action.faults.keys.sorted()))
    case 8, 9: return .kill(process)
    case 10: return .crash(generator.next() >> 1)
    // Polling relies on the clock that dates files.
    case 11: return current.polls ? .wait(300) : .clock(one(of: [-3600, -2, 1, 3600]))
    case 12: return .recover(process)
    case 13: return .fork(process)
    default:
      let foreign = one(of: Action.Foreign.allCases)
      return foreign == .unlock && !removesLocks ? .foreign(.replace) : .foreign(foreign)
    }
  }
}
