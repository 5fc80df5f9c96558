internal import PropertyList

/// What a word of the command line can mean.
enum ArgumentText {
  /// The values of other kinds that a word can stand for, the likeliest first.
  static func readings(of text: String) -> [PlistValue] {
    var readings: [PlistValue] = []
    switch text.lowercased() {
    case "yes", "true", "1", "on": readings.append(.boolean(true))
    case "no", "false", "0", "off": readings.append(.boolean(false))
    default: break
    }
    if let number = Int64(text) {
      readings.append(.integer(number))
    } else if let number = UInt64(text) {
      readings.append(.unsignedInteger(number))
    }
    if let number = Double(text) { readings.append(.real(number)) }
    return readings
  }
}
