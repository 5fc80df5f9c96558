import Foundation

/// The time since some moment that all processes of the machine share.
enum Clock {
  static var nanoseconds: Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }

  /// How long something takes.
  static func time(_ body: () throws -> Void) rethrows -> Double {
    let start = nanoseconds
    try body()
    return Double(nanoseconds - start)
  }
}

/// How many samples are taken and how long they are.
struct Pace {
  var rounds: Int
  /// How long a sample is at least, so that reading the clock does not count.
  var nanoseconds: Double
}

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
    Contender(name) { try Clock.time(body) }
  }

  /// Something short, which is done as often as makes a sample long enough.
  ///
  /// - Parameter body: Does it so many times.
  static func repeated(
    _ name: String, _ pace: Pace, _ body: @escaping (Int) -> Void
  ) -> Contender {
    var count = 1
    var elapsed = Clock.time { body(count) }
    while elapsed < pace.nanoseconds {
      // What comes first is slower; so the number grows by steps and not at once.
      let factor = pace.nanoseconds / max(elapsed, 1) * 1.1
      count = Int((Double(count) * min(max(factor, 1.1), 10)).rounded(.up))
      elapsed = Clock.time { body(count) }
    }
    return Contender(name) { [count] in Clock.time { body(count) } / Double(count) }
  }
}

/// Takes samples of contenders in turn, so that whatever else the machine does hits them all.
///
/// - Returns: Their times, in the same order. What a first round gives is not among them.
func takeTimes(of contenders: [Contender], rounds: Int) throws -> [Timing] {
  var samples = [[Double]](repeating: [], count: contenders.count)
  for round in 0...rounds {
    for (index, contender) in contenders.enumerated() {
      let sample = try contender.sample()
      if round > 0 { samples[index].append(sample) }
    }
  }
  return zip(contenders, samples).map { contender, samples in
    Timing(name: contender.name, samples: samples)
  }
}

/// The samples of one contender.
struct Timing {
  var name: String
  /// In nanoseconds, sorted.
  let samples: [Double]

  init(name: String, samples: [Double]) {
    self.name = name
    self.samples = samples.sorted()
  }

  var median: Double { quantile(0.5) }

  /// The time that this part of the samples do not exceed; between two samples what lies between.
  func quantile(_ part: Double) -> Double {
    let position = part * Double(samples.count - 1)
    let lower = samples[Int(position)]
    let upper = samples[min(Int(position) + 1, samples.count - 1)]
    // Two infinite ones have no difference.
    guard lower < upper else { return lower }
    return lower + (upper - lower) * (position - position.rounded(.down))
  }
}
