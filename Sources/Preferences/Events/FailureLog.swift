/// Prints events on standard error: one for each cause, and not many at a time.
final class FailureLog: Sendable {
  static let shared = FailureLog()

  /// The most lines printed within ``period``.
  private static let limit = 20
  private static let period = Duration.seconds(60)
  /// The number of causes remembered.
  private static let memory = 1_000

  private struct State {
    /// Hash values of the causes.
    var printed: Set<Int> = []
    /// The times of the latest lines.
    var times: [ContinuousClock.Instant] = []
    /// The number of lines omitted since the last one.
    var omitted = 0
  }

  private let state = Guarded(State())

  func print(_ event: PreferencesEvent) {
    let text = event.description
    // Files that are polled for the same reason are one cause.
    let cause =
      if case .polling(_, let reason) = event { "polling, because \(reason)" } else { text }
    let omitted = StateLock.change { change -> Int? in
      let now = ContinuousClock.now
      if change[state].printed.contains(cause.hashValue) { return nil }
      change[state].times.removeAll { $0 < now - Self.period }
      guard change[state].times.count < Self.limit else {
        change[state].omitted += 1
        return nil
      }
      if change[state].printed.count == Self.memory { change[state].printed = [] }
      change[state].printed.insert(cause.hashValue)
      change[state].times.append(now)
      return exchange(&change[state].omitted, with: 0)
    }
    guard let omitted else { return }
    StandardError.write(
      omitted == 0 ? "Larder: \(text)\n" : "Larder: \(text) (\(omitted) other failures omitted)\n")
  }
}
