import Foundation
import PropertyList
import Threading

@testable import FileStorage
@testable import Preferences

/// Processes with one file on one machine, in an order that a schedule or chance determines.
final class Simulation {
  let machine = Machine()
  let setting: Schedule.Setting
  private let workers: [Worker]
  private(set) var processes: [SimulatedProcess?]
  private var lastValue = 0
  private(set) var violation: Violation?
  private(set) var coverage = Coverage()
  /// A readable log of what has happened; empty unless requested.
  private(set) var trace: [String] = []
  private let isTraced: Bool

  /// How often each step was taken, and how often it ended in each way.
  struct Coverage: Sendable {
    var steps: [Step: Int] = [:]
    var faults: [String: Int] = [:]
    var pairs: [String: Int] = [:]

    mutating func add(_ other: Coverage) {
      steps.merge(other.steps) { $0 + $1 }
      faults.merge(other.faults) { $0 + $1 }
      pairs.merge(other.pairs) { $0 + $1 }
    }

    fileprivate mutating func note(_ fault: String, at step: Step?) {
      faults[fault, default: 0] += 1
      if let step { pairs["\(step.rawValue) \(fault)", default: 0] += 1 }
    }
  }

  /// - Parameter workers: One for each process.
  init(_ setting: Schedule.Setting, _ workers: [Worker], isTraced: Bool) {
    self.setting = setting
    self.isTraced = isTraced
    self.workers = workers
    processes = Array(repeating: nil, count: setting.processes)
    machine.resolution = setting.resolution
    machine.hasFolder = setting.hasFolder
    machine.onChange = { [unowned self] in
      for process in processes { process?.watch?.noteChange() }
    }
  }

  func end() {
    for process in processes { process?.kill() }
    processes = []
  }

  // MARK: Actions

  /// Performs an action, unless that is not possible now.
  func perform(_ action: Action) {
    let position = machine.position
    if isTraced { trace.append(action.text + step(of: action)) }
    defer {
      collectViolations()
      if isTraced, machine.position != position {
        trace.append("  # the file holds \(Machine.text(of: machine.content))")
      }
    }
    switch action {
    case .start(let number):
      guard processes.indices.contains(number), processes[number] == nil else { return }
      let process = SimulatedProcess(
        number, machine, workers[number], hasCheck: setting.checks && number % 2 == 0,
        hasCopy: setting.copies, polls: setting.polls, delay: .milliseconds(setting.delay))
      processes[number] = process
      if number < setting.observers { process.observe() } else { process.read() }
    case .set(let number, let key):
      guard let process = processes[number], !process.isBusy || process.maySet else { return }
      lastValue += 1
      process.set(lastValue, forKey: key)
    case .remove(let number, let key):
      guard let process = processes[number], !process.isBusy || process.maySet else { return }
      process.set(nil, forKey: key)
    case .removeAll(let number):
      guard let process = idle(number) else { return }
      // Otherwise it takes effect after other sets that follow it.
      if process.maySet, process.isWatched { process.removeAll() } else { process.read() }
    case .update(let number, let key):
      lastValue += 1
      idle(number)?.update(key, lastValue)
    case .flush(let number): idle(number)?.flush()
    case .read(let number): idle(number)?.read()
    case .recover(let number): idle(number)?.recover()
    case .delay(let number, let milliseconds): idle(number)?.setDelay(.milliseconds(milliseconds))
    case .alarm(let number):
      guard let process = idle(number), process.isAlarmDue else { return }
      process.ringAlarms()
    case .event(let number): idle(number)?.deliverEvent()
    case .step(let number): resume(number)
    case .fail(let number, let name):
      guard let step = processes[number]?.stop?.step, step.mayFail else { return }
      if resume(number, fault: Action.faults[name]) { coverage.note(name, at: step) }
    case .kill(let number):
      guard let process = processes[number] else { return }
      coverage.note("kill", at: process.stop?.step)
      process.kill()
      processes[number] = nil
    case .fork(let number):
      guard let process = idle(number) else { return }
      coverage.note("fork", at: nil)
      process.fork()
    case .wait(let milliseconds): machine.pass(.milliseconds(milliseconds))
    case .clock(let seconds):
      noteForAll("clock")
      machine.setClock(forward: seconds)
    case .crash(let bits):
      noteForAll("crash")
      for process in processes { process?.kill() }
      processes = processes.map { _ in nil }
      var choices = Machine.Choices(bits: bits)
      do throws(Violation) { try machine.crash(&choices) } catch { violation = violation ?? error }
    case .foreign(let foreign):
      noteForAll("foreign \(foreign.rawValue)")
      perform(foreign)
    case .settle: settle()
    }
  }

  /// The step that an action concerns, as a comment.
  private func step(of action: Action) -> String {
    switch action {
    case .step(let number), .fail(let number, _), .kill(let number):
      processes[number]?.stop.map { "  # \($0.step.rawValue)" } ?? ""
    default: ""
    }
  }

  private func idle(_ number: Int) -> SimulatedProcess? {
    guard processes.indices.contains(number), let process = processes[number], !process.isBusy
    else { return nil }
    process.advanceClock()
    return process
  }

  private func noteForAll(_ fault: String) {
    let steps = Set(processes.compactMap { $0?.stop?.step })
    if steps.isEmpty { coverage.note(fault, at: nil) }
    for step in steps { coverage.note(fault, at: step) }
  }

  @discardableResult
  private func resume(_ number: Int, fault: Int32? = nil) -> Bool {
    guard let process = processes[number], let step = process.stop?.step, process.mayContinue
    else { return false }
    machine.pass(.microseconds(50))
    coverage.steps[step, default: 0] += 1
    process.resume(fault: fault)
    return true
  }

  private func perform(_ foreign: Action.Foreign) {
    lastValue += 1
    var content = (machine.content ?? [:])
    let key = SimulatedProcess.keys[lastValue % SimulatedProcess.keys.count]
    content[key] = lastValue
    if content[SimulatedProcess.checkedKey] ?? 0 < 0 { content[SimulatedProcess.checkedKey] = nil }
    switch foreign {
    case .replace: machine.replaceUnsafely(Machine.data(content))
    case .refuse:
      content[SimulatedProcess.checkedKey] = -lastValue
      machine.replaceUnsafely(Machine.data(content))
    case .truncate: machine.overwrite(Data())
    case .write: machine.overwrite(Machine.data(content))
    case .garble: machine.overwrite(Data("garbage".utf8))
    case .remove: if machine.exists { machine.remove(Machine.file) }
    case .unlock: machine.removeLockFile()
    }
  }

  private func collectViolations() {
    for process in processes { violation = violation ?? process?.violation }
  }

  // MARK: Rest

  /// Lets everything come to rest without further faults, and checks what holds then.
  func settle() {
    let isBad = machine.content == nil || machine.content![SimulatedProcess.checkedKey] ?? 0 < 0
    if isTraced { trace.append("# Then everything comes to rest:") }
    if isBad { perform(.foreign(.replace)) }
    var stepsLeft = 4_000
    let limit = machine.now + .seconds(120)
    // Processes without observers read the file only in the second round.
    for hasRead in [false, true] {
      while violation == nil {
        guard stepsLeft > 0, machine.now < limit else {
          violation = Violation(
            "everything comes to rest",
            "\(4_000 - stepsLeft) steps in \(machine.now - limit + .seconds(120))")
          return
        }
        if advance() { stepsLeft -= 1 } else if !pass() { break }
      }
      for process in processes.compactMap(\.self) where hasRead || !process.isLeftToReads {
        process.checkAtRest()
      }
      if !hasRead {
        for process in processes where process?.isLeftToReads == true { process?.read() }
      }
    }
    collectViolations()
  }

  /// Lets each process do something, and returns whether one did.
  private func advance() -> Bool {
    var hasAdvanced = false
    let isBad = machine.content.map { $0[SimulatedProcess.checkedKey] ?? 0 < 0 } ?? true
    if isBad, !processes.contains(where: { $0?.isBusy ?? false }) { perform(.foreign(.replace)) }
    for (number, process) in processes.enumerated() {
      guard let process else { continue }
      process.advanceClock()
      if process.mayContinue {
        perform(.step(number))
      } else if !process.isBusy, process.hasEvent {
        perform(.event(number))
      } else if !process.isBusy, process.isAlarmDue {
        perform(.alarm(number))
      } else {
        continue
      }
      hasAdvanced = true
    }
    return hasAdvanced
  }

  /// Lets time pass, and returns whether there is something to wait for.
  private func pass() -> Bool {
    let isWaiting = processes.contains { process in
      guard let process else { return false }
      return process.isBusy || process.nextAlarm != nil || process.watch?.isWaiting ?? false
    }
    if isWaiting { machine.pass(.milliseconds(10)) }
    return isWaiting
  }
}

/// Runs simulations, one at a time.
final class Simulator {
  private let workers = (0..<8).map { _ in Worker() }

  deinit { for worker in workers { worker.end() } }

  struct Outcome {
    var schedule: Schedule
    var violation: Violation?
    var coverage: Simulation.Coverage
    var steps: Int
    var trace: [String]
  }

  /// Repeats a schedule.
  func run(_ schedule: Schedule, isTraced: Bool = false) -> Outcome {
    run(schedule.setting, count: schedule.actions.count, isTraced: isTraced) { _, index in
      schedule.actions[index]
    }
  }

  /// Runs a new schedule that follows from a seed.
  func run(seed: UInt64) -> Outcome {
    var chance = Chance(seed: seed)
    let setting = chance.setting()
    return run(setting, count: chance.length()) { simulation, _ in chance.action(in: simulation) }
  }

  private func run(
    _ setting: Schedule.Setting, count: Int, isTraced: Bool = false,
    _ next: (Simulation, Int) -> Action
  ) -> Outcome {
    let simulation = Simulation(setting, workers, isTraced: isTraced)
    var schedule = Schedule()
    schedule.setting = setting
    for index in 0..<count where simulation.violation == nil {
      let action = next(simulation, index)
      schedule.actions.append(action)
      simulation.perform(action)
    }
    if simulation.violation == nil { simulation.settle() }
    defer { simulation.end() }
    return Outcome(
      schedule: schedule, violation: simulation.violation, coverage: simulation.coverage,
      steps: simulation.coverage.steps.values.reduce(0, +), trace: simulation.trace)
  }

  /// The shortest schedule found that breaks the same invariant.
  func shorten(_ outcome: Outcome) -> Outcome {
    guard let violation = outcome.violation else { return outcome }
    var best = outcome
    var size = max(1, best.schedule.actions.count / 2)
    while true {
      var start = 0
      var hasShortened = false
      while start < best.schedule.actions.count {
        var candidate = best.schedule
        candidate.actions.removeSubrange(start..<min(start + size, candidate.actions.count))
        let new = run(candidate)
        if new.violation?.invariant == violation.invariant {
          best = new
          hasShortened = true
        } else {
          start += size
        }
      }
      if size == 1, !hasShortened { return best }
      if !hasShortened || size > 1 { size = max(1, size / 2) }
    }
  }
}
