import Foundation
import Glibc

/// What happens next in a simulation. Its text is a line of a schedule.
enum Action: Equatable {
  /// A process that does not run is started.
  case start(Int)
  /// A value that is new is set.
  case set(Int, String)
  case remove(Int, String)
  case removeAll(Int)
  case update(Int, String)
  case flush(Int)
  case read(Int)
  case recover(Int)
  /// The commit delay becomes a number of milliseconds.
  case delay(Int, Int)
  /// A process saves what is due.
  case alarm(Int)
  /// A process learns that the file has changed, which may be untrue.
  case event(Int)
  /// A process continues to its next step.
  case step(Int)
  /// The next step of a process fails with an error of this name.
  case fail(Int, String)
  case kill(Int)
  /// A process continues as its own forked child, and the parent saves nothing.
  case fork(Int)
  /// A number of milliseconds passes.
  case wait(Int)
  /// The clock that dates files is set forward or back by a number of seconds.
  case clock(Int)
  /// The machine crashes; the bits say what is left of that which was not flushed.
  case crash(UInt64)
  case foreign(Foreign)
  /// Everything comes to rest, as at the end.
  case settle

  /// A change by a program that takes no lock.
  enum Foreign: String, CaseIterable {
    /// Replaces the file by one with a new value.
    case replace
    /// The same, with a value that the check of some processes refuses.
    case refuse
    /// Truncates the file, and later writes it again.
    case truncate, write
    /// Writes what is not a property list.
    case garble
    /// Removes the file.
    case remove
    /// Removes the lock file.
    case unlock
  }

  static let faults = ["EIO": EIO, "ENOSPC": ENOSPC, "EMFILE": EMFILE]

  var text: String {
    switch self {
    case .start(let process): "\(process) start"
    case .set(let process, let key): "\(process) set \(key)"
    case .remove(let process, let key): "\(process) remove \(key)"
    case .removeAll(let process): "\(process) removeAll"
    case .update(let process, let key): "\(process) update \(key)"
    case .flush(let process): "\(process) flush"
    case .read(let process): "\(process) read"
    case .recover(let process): "\(process) recover"
    case .delay(let process, let milliseconds): "\(process) delay \(milliseconds)"
    case .alarm(let process): "\(process) alarm"
    case .event(let process): "\(process) event"
    case .step(let process): "\(process) step"
    case .fail(let process, let name): "\(process) fail \(name)"
    case .kill(let process): "\(process) kill"
    case .fork(let process): "\(process) fork"
    case .wait(let milliseconds): "wait \(milliseconds)"
    case .clock(let seconds): "clock \(seconds)"
    case .crash(let bits): "crash \(bits)"
    case .foreign(let foreign): "foreign \(foreign.rawValue)"
    case .settle: "everything settles"
    }
  }

  /// Parses a line of a schedule.
  init?(_ text: String) {
    let words = text.split(separator: " ").map(String.init)
    func argument<Value: LosslessStringConvertible>() -> Value? {
      words.count == 3 ? Value(words[2]) : nil
    }
    guard words.count >= 2 else { return nil }
    if let process = Int(words[0]) {
      let action: Action? =
        switch words[1] {
        case "start": .start(process)
        case "set": argument().map { .set(process, $0) }
        case "remove": argument().map { .remove(process, $0) }
        case "removeAll": .removeAll(process)
        case "update": argument().map { .update(process, $0) }
        case "flush": .flush(process)
        case "read": .read(process)
        case "recover": .recover(process)
        case "delay": argument().map { .delay(process, $0) }
        case "alarm": .alarm(process)
        case "event": .event(process)
        case "step": .step(process)
        case "fail": argument().map { .fail(process, $0) }
        case "kill": .kill(process)
        case "fork": .fork(process)
        default: nil
        }
      guard let action else { return nil }
      self = action
      return
    }
    switch words[0] {
    case "wait": self = .wait(Int(words[1])!)
    case "clock": self = .clock(Int(words[1])!)
    case "crash": self = .crash(UInt64(words[1])!)
    case "foreign":
      guard let foreign = Foreign(rawValue: words[1]) else { return nil }
      self = .foreign(foreign)
    case "everything": self = .settle
    default: return nil
    }
  }
}

/// A simulation to the last detail: it can be repeated, shortened and kept as a file.
struct Schedule: Equatable {
  var setting = Setting()
  var actions: [Action] = []

  /// What stays the same during a simulation.
  struct Setting: Equatable {
    var processes = 2
    /// The resolution of timestamps, in nanoseconds.
    var resolution: Int64 = 1
    /// The commit delay, in milliseconds.
    var delay = 50
    /// The number of processes that observe the values and handle events, which are the first ones.
    var observers = 2
    /// Whether processes of even numbers check the contents of the file.
    var checks = false
    /// Whether each process keeps a copy of the last good contents.
    var copies = false
    var hasFolder = true
    /// Whether the processes poll the file, because the system does not report its changes.
    var polls = false

    var text: String {
      "processes \(processes) observers \(observers) resolution \(resolution) delay \(delay) "
        + "checks \(checks) copies \(copies) folder \(hasFolder) polls \(polls)"
    }

    init() {}

    init?(_ text: String) {
      let words = text.split(separator: " ").map(String.init)
      guard words.count == 16, let processes = Int(words[1]), let observers = Int(words[3]),
        let resolution = Int64(words[5]), let delay = Int(words[7]), let checks = Bool(words[9]),
        let copies = Bool(words[11]), let hasFolder = Bool(words[13]), let polls = Bool(words[15])
      else { return nil }
      self.processes = processes
      self.observers = observers
      self.resolution = resolution
      self.delay = delay
      self.checks = checks
      self.copies = copies
      self.hasFolder = hasFolder
      self.polls = polls
    }
  }

  var text: String { ([setting.text] + actions.map(\.text)).joined(separator: "\n") + "\n" }

  init() {}

  /// Parses a schedule. Text after `#` is a comment.
  init?(_ text: String) {
    let lines = text.split(separator: "\n")
      .map { $0.prefix { $0 != "#" }.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.isEmpty }
    guard let first = lines.first, let setting = Setting(first) else { return nil }
    self.setting = setting
    for line in lines.dropFirst() {
      guard let action = Action(line) else { return nil }
      actions.append(action)
    }
  }
}
