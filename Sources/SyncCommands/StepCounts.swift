internal import PreferencesSync

/// How many values a synchronizer has transferred.
struct StepCounts: Sendable, Equatable {
  var uploaded = 0
  var received = 0

  /// Counts a step if it transferred a value.
  mutating func add(_ step: SyncStep) {
    switch step {
    case .uploaded: uploaded += 1
    case .storedLocally: received += 1
    default: break
    }
  }
}

extension Int {
  /// The number with a noun, which gets an s unless there is one of it.
  func counted(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}
