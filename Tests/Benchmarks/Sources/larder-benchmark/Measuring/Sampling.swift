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

/// Takes samples of contenders in turn, fewer of those that take long, and those evenly among the
/// others'.
///
/// - Returns: Their times, in the same order.
func takeTimes(of contenders: [Contender], within budget: Budget) throws -> [Timing] {
  var samples: [[Double]] = []
  var rounds: [Int] = []
  for contender in contenders {
    let sample = try contender.sample()
    samples.append([sample])
    rounds.append(budget.rounds(of: Int(max(sample, budget.sample))))
  }
  let most = rounds.max() ?? 1
  for round in 1..<max(most, 1) {
    for (index, contender) in contenders.enumerated()
    where round * rounds[index] / most > (round - 1) * rounds[index] / most {
      samples[index].append(try contender.sample())
    }
  }
  return zip(contenders, samples).map { contender, samples in
    Timing(name: contender.name, samples: samples)
  }
}
