/// What an operation may cost for each value of a document.
struct CountCeiling {
  var step: CountedStep
  var instructions: Double
  var allocations: Double

  /// How far above what was measured a ceiling stands.
  static let slack = 1.12

  /// All ceilings, as `larder-benchmark counts` prints them for what it measures.
  ///
  /// Where there are few allocations, there is room for the differences among runs.
  ///
  /// They are those of libxml2 2.9.14 on x86-64, whose instructions are part of reading XML.
  static let all = [
    CountCeiling(step: .readXML, instructions: 4332, allocations: 0.313),
    CountCeiling(step: .readBinary, instructions: 656, allocations: 0.297),
    CountCeiling(step: .writeXML, instructions: 891, allocations: 0.11),
    CountCeiling(step: .writeBinary, instructions: 908, allocations: 0.03),
    CountCeiling(step: .decodeXML, instructions: 5591, allocations: 0.698),
    CountCeiling(step: .decodeBinary, instructions: 2007, allocations: 0.674),
    CountCeiling(step: .encodeXML, instructions: 1812, allocations: 0.488),
    CountCeiling(step: .encodeBinary, instructions: 1809, allocations: 0.436),
  ]
}
