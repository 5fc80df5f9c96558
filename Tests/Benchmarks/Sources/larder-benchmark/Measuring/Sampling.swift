/// Takes samples of contenders in turn, so that other load on the machine affects all of them.
///
/// - Returns: Their times in the same order, without those of a first round.
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

/// Takes samples of contenders in turn. Slow contenders get fewer samples, evenly distributed among
/// the others.
///
/// - Returns: Their times in the same order.
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
