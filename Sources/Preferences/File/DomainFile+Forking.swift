internal import Threading

/// Changes that a parent process had not saved when it forked.
extension DomainFile {
  private struct Parent: InheritedChanges.Origin {
    var process: ProcessIdentity
    var mark: CommitMark?
    /// The number of the commit that saves the changes.
    var commit: UInt32

    var fate: InheritedChanges.Fate {
      // In this order: the process may commit the changes and then end in between.
      let isRunning = process.isRunning
      if let mark, mark.number >= commit { return .saved }
      return isRunning ? .undecided : .abandoned
    }
  }

  /// Leaves uncommitted changes to the parent process. A domain in memory is not shared and keeps
  /// its changes.
  func inheritChanges(from process: ProcessIdentity, in change: borrowing StateChange) {
    guard path != nil else {
      return reschedule(in: change) { schedule, now, _ in schedule.restart(at: now) }
    }
    reschedule(in: change) { schedule, now, _ in schedule.inherit(at: now) }
    var delivery = Delivery()
    let mark = exchange(&change[state].mark, with: nil)
    let number = change[state].commitNumber
    values.inheritChanges(
      saving: Parent(process: process, mark: mark, commit: number),
      pending: Parent(process: process, mark: mark, commit: number + 1), in: change, &delivery)
  }

  /// Whether there are changes that a parent process may or may not have saved.
  var hasInherited: Bool { StateLock.change { values.hasInherited(in: $0) } }

  /// Whether a parent process has saved inherited changes or never will.
  var hasDecidedInheritance: Bool {
    StateLock.change { values.inherited(in: $0) }.contains { $0.origin.fate != .undecided }
  }
}
