/// The maximum cost of an operation for each value.
struct CountCeiling {
  var step: CountedStep
  var instructions: Double
  var allocations: Double

  /// The ratio of a ceiling to the measured count.
  static let slack = 1.12

  /// All ceilings, as `larder-benchmark counts` prints them. Small numbers of allocations have more
  /// slack for differences between runs.
  ///
  /// They were measured with libxml2 2.9.14 on x86-64, whose instructions count for reading XML.
  static let all = [
    CountCeiling(step: .readXML, instructions: 4332, allocations: 0.313),
    CountCeiling(step: .readBinary, instructions: 651, allocations: 0.297),
    CountCeiling(step: .writeXML, instructions: 870, allocations: 0.08),
    CountCeiling(step: .writeBinary, instructions: 908, allocations: 0.03),
    CountCeiling(step: .decodeXML, instructions: 5591, allocations: 0.698),
    CountCeiling(step: .decodeBinary, instructions: 2007, allocations: 0.674),
    CountCeiling(step: .encodeXML, instructions: 1775, allocations: 0.488),
    CountCeiling(step: .encodeBinary, instructions: 1809, allocations: 0.436),
    CountCeiling(step: .set, instructions: 2226, allocations: 0.001),
  ]
}
