/// One of the implementations that are compared.
struct Contender {
  var name: String
  /// Takes a sample: the time of one operation in nanoseconds.
  var sample: () throws -> Double

  /// Creates a contender that measures itself.
  init(_ name: String, sample: @escaping () throws -> Double) {
    self.name = name
    self.sample = sample
  }

  /// Creates a contender with one operation as a sample.
  static func once(_ name: String, _ body: @escaping () throws -> Void) -> Contender {
    Contender(name) { try Clock.wall.time(body) }
  }

  /// Creates a contender of a short operation, which is repeated until a sample is long enough.
  ///
  /// - Parameter body: Performs the operation the given number of times.
  static func repeated(
    _ name: String, _ pace: Pace, _ body: @escaping (Int) -> Void
  ) -> Contender {
    let count = repetitions(for: pace.nanoseconds) { count in Clock.wall.time { body(count) } }
      .count
    return Contender(name) { Clock.wall.time { body(count) } / Double(count) }
  }

  /// Creates a contender of an operation of any length, which is repeated until a sample is long
  /// enough.
  ///
  /// The operation is warmed up before the first sample, unless it takes longer than a quarter of a
  /// second: then the first time is the first sample.
  ///
  /// - Parameter time: Performs the operation the given number of times and returns the total time
  ///   in nanoseconds.
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

  /// Returns how often to repeat an operation for a sample of a length, and how long the last
  /// sample took.
  private static func repetitions(
    for nanoseconds: Double, _ time: (Int) throws -> Double
  ) rethrows -> (count: Int, elapsed: Double) {
    var count = 1
    var elapsed = try time(count)
    while elapsed < nanoseconds {
      // First runs are slower, so the count grows in steps.
      let factor = nanoseconds / max(elapsed, 1) * 1.1
      count = Int((Double(count) * min(max(factor, 1.1), 10)).rounded(.up))
      elapsed = try time(count)
    }
    return (count, elapsed)
  }
}
