/// An event of a run of several machines that share a remote store, for one key each.
///
/// Values are texts, each written only once in a run; nil stands for a removed key.
package enum HistoryEvent: Sendable, Hashable {
  /// A place that holds a value in the end.
  package enum Replica: Sendable, Hashable {
    case machine(Int)
    case remote
  }

  /// A machine is about to set a value, or to remove a key. The number identifies the write.
  case invoked(Int, machine: Int, key: String, value: String?)
  /// The machine has not removed a key, because the key had no value.
  case skipped(Int)
  /// The value of a write is on the disk of its machine, which has acknowledged it.
  case saved(Int)
  /// The machine has acknowledged that the remote store has the value of a write or a later one.
  case uploaded(Int)
  /// The store of a machine has another value, in the order of its observers.
  case observed(machine: Int, key: String, value: String?)
  /// The process of a machine has ended, and with it what was not on disk.
  case ended(machine: Int)
  /// The value at a place, after all machines have met with the remote store again.
  case final(Replica, key: String, value: String?)
}

extension HistoryEvent: CustomStringConvertible {
  /// One line of text.
  package var description: String {
    switch self {
    case .invoked(let number, let machine, let key, let value):
      "machine \(machine): write \(number): \(key) = \(value ?? "none")"
    case .skipped(let number): "write \(number) was not needed"
    case .saved(let number): "write \(number) is saved"
    case .uploaded(let number): "write \(number) is uploaded"
    case .observed(let machine, let key, let value):
      "machine \(machine): \(key) is \(value ?? "none")"
    case .ended(let machine): "machine \(machine) has ended"
    case .final(let replica, let key, let value):
      "\(replica): in the end \(key) is \(value ?? "none")"
    }
  }

  /// The key, where the event names one.
  var key: String? {
    switch self {
    case .invoked(_, _, let key, _), .observed(_, let key, _), .final(_, let key, _): key
    default: nil
    }
  }
}

extension HistoryEvent.Replica: CustomStringConvertible {
  /// A few words.
  package var description: String {
    switch self {
    case .machine(let number): "machine \(number)"
    case .remote: "the remote store"
    }
  }
}
