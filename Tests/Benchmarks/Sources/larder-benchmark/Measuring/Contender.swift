/// One of those that are compared.
struct Contender {
  var name: String
  /// Takes a sample: the nanoseconds of one operation.
  var sample: () throws -> Double

  /// Something that takes a sample by itself.
  init(_ name: String, sample: @escaping () throws -> Double) {
    self.name = name
    self.sample = sample
  }

  /// Something long enough to be a sample.
  static func once(_ name: String, _ body: @escaping () throws -> Void) -> Contender {
    Contender(name) { try Clock.wall.time(body) }
  }

  /// Something short, which is done as often as makes a sample long enough.
  ///
  /// - Parameter body: Does it so many times.
  static func repeated(
    _ name: String, _ pace: Pace, _ body: @escaping (Int) -> Void
  ) -> Contender {
    let count = repetitions(for: pace.nanoseconds) { count in Clock.wall.time { body(count) } }
      .count
    return Contender(name) { Clock.wall.time { body(count) } / Double(count) }
  }

  /// Something of any length, which is done as often as makes a sample long enough.
  ///
  /// It is done before the first sample is taken, but what takes longer than a quarter of a second
  /// gains nothing by that: its first time is its first sample.
  ///
  /// - Parameter time: Does it so many times and gives the nanoseconds of all of them.
  static func timed(
    _ name: String, _ budget: Budget, _ time: @escaping (Int) throws -> Double
  ) throws -> Contender {
    let (count, elapsed) = try repetitions(for: budget.sample, time)
    var first = elapsed > 250_000_000 ? elapsed : nil
    return Contender(name) {
      defer { first = nil }
      return try first ?? time(count) / Double(count)
    }
  }

  /// How often something is to be done for a sample of a length, and how long that last took.
  private static func repetitions(
    for nanoseconds: Double, _ time: (Int) throws -> Double
  ) rethrows -> (count: Int, elapsed: Double) {
    var count = 1
    var elapsed = try time(count)
    while elapsed < nanoseconds {
      // What comes first is slower; so the number grows by steps and not at once.
      let factor = nanoseconds / max(elapsed, 1) * 1.1
      count = Int((Double(count) * min(max(factor, 1.1), 10)).rounded(.up))
      elapsed = try time(count)
    }
    return (count, elapsed)
  }
}
