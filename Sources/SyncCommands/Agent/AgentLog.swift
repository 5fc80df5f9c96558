internal import FileStorage
internal import FoundationEssentials

/// The log of the agent: a line in logfmt for each event, on standard error.
///
/// ```
/// time=2026-05-04T10:00:00.123Z level=info event=uploaded domain=org.example.editor keys=3
/// ```
enum AgentLog {
  /// The importance of an event.
  enum Level: String {
    case info, warning, error
  }

  /// Writes an event.
  ///
  /// - Parameter fields: Its keys and values, without values of preferences. Fields that are nil
  ///   are left out.
  static func write(
    _ level: Level, _ event: String, _ fields: KeyValuePairs<String, (any CustomStringConvertible)?>
  ) {
    var words = [
      "time=\(Date.now.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)))",
      "level=\(level.rawValue)", "event=\(event)",
    ]
    for (key, value) in fields {
      if let value { words.append("\(key)=\(quoted("\(value)"))") }
    }
    // An error of standard error cannot be reported anywhere.
    try? Descriptor.standardError.writeAll(Data((words.joined(separator: " ") + "\n").utf8))
  }

  /// A value, in quotes with escapes if it would not be read as one word.
  static func quoted(_ value: String) -> String {
    let isWord = value.unicodeScalars.allSatisfy { scalar in
      scalar.value > 0x20 && scalar.value < 0x7F && scalar != "\"" && scalar != "="
        && scalar != "\\"
    }
    if isWord && !value.isEmpty { return value }
    var result = "\""
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\t": result += "\\t"
      default:
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse,
          .unassigned:
          // As in JSON, which readers of logfmt understand: four digits for each UTF-16 code unit.
          for unit in String(scalar).utf16 {
            let digits = String(unit, radix: 16)
            result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
          }
        default: result.unicodeScalars.append(scalar)
        }
      }
    }
    return result + "\""
  }
}
