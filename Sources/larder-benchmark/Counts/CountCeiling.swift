/// What an operation may cost for each value of a document.
struct CountCeiling {
  var step: CountedStep
  var instructions: Double
  var allocations: Double

  /// How far above what was measured a ceiling stands.
  static let slack = 1.12

  /// All ceilings, as `larder-benchmark counts` prints them for what it measures.
  ///
  /// They are those of libxml2 2.9.14 on x86-64, whose instructions are part of reading XML.
  static let all = [
    CountCeiling(step: .readXML, instructions: 9432, allocations: 0.653),
    CountCeiling(step: .readBinary, instructions: 1454, allocations: 0.296),
    CountCeiling(step: .writeXML, instructions: 1717, allocations: 0.061),
    CountCeiling(step: .writeBinary, instructions: 1460, allocations: 0.006),
    CountCeiling(step: .decodeXML, instructions: 13999, allocations: 1.333),
    CountCeiling(step: .decodeBinary, instructions: 6018, allocations: 0.976),
    CountCeiling(step: .encodeXML, instructions: 5526, allocations: 1.040),
    CountCeiling(step: .encodeBinary, instructions: 5268, allocations: 0.984),
  ]
}
