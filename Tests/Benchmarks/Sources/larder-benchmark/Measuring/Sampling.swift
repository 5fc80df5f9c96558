/// Takes samples of contenders in turn, so that other load on the machine affects all of them.
///
/// Each round begins with another contender, because a sample depends on the previous one: on what
/// that left in the processor's caches, and on the memory that it freed.
///
/// - Returns: Their times in the same order, without the first round's.
func takeTimes(of contenders: [Contender], rounds: Int) throws -> [Timing] {
  var samples = [[Double]](repeating: [], count: contenders.count)
  for round in 0...rounds {
    for index in indices(of: contenders, in: round) {
      let sample = try contenders[index].sample()
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
    for index in indices(of: contenders, in: round)
    where round * rounds[index] / most > (round - 1) * rounds[index] / most {
      samples[index].append(try contenders[index].sample())
    }
  }
  return zip(contenders, samples).map { contender, samples in
    Timing(name: contender.name, samples: samples)
  }
}

/// The indices of contenders in the order of a round. Each round starts at another contender, and
/// every other series of rounds runs backward, so that each contender follows each other contender
/// in some round.
private func indices(of contenders: [Contender], in round: Int) -> [Int] {
  let count = contenders.count
  let isReversed = round / count % 2 == 1
  return (0..<count).map { (round + (isReversed ? count - $0 : $0)) % count }
}
