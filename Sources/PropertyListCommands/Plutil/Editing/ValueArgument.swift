internal import CommandLineInterface
internal import FoundationEssentials
internal import PropertyList

/// The value of `-insert` and `-replace`: an option that names the type, with the text of the
/// value.
enum ValueArgument {
  /// The options, one of which is required.
  static let options: [CommandLineTool.Option] = [
    .init(
      "-bool", argument: .init("value", completion: .words(["true", "false"])),
      summary: "A boolean: \(PlistValue.booleanWordList)"),
    .init(
      "-integer", argument: "value",
      summary: "An integer from -2^63 to 2^64-1, such as 42, -1 or 0x2A"),
    .init("-float", argument: "value", summary: "A real, such as 2.5, 1e-3, infinity or nan"),
    .init("-string", argument: "value", summary: "A string, used as is"),
    .init(
      "-date", argument: "value",
      summary: "A date, such as 2024-01-31T23:59:59Z, 2024-01-31T23:59:59+01:00 or 2024-01-31"),
    .init("-data", argument: "value", summary: "Data in base64, such as AQID"),
    .init(
      "-xml", argument: "value",
      summary: "A value of any type as XML, such as <array/>; <plist> is optional"),
    .init("-json", argument: "value", summary: "A value as JSON, such as [1, \"x\"]"),
    .init("-array", summary: "An empty array"),
    .init("-dictionary", summary: "An empty dictionary"),
  ]

  /// The value on a command line, and the warnings about its text.
  static func value(
    of invocation: Invocation
  ) throws(UsageError) -> (value: PlistValue, warnings: [PlistWarning]) {
    let given = options.filter(invocation.has)
    guard let option = given.first, given.count == 1 else {
      throw UsageError(
        given.isEmpty
          ? "\(invocation.verb.name) needs a type and a value, such as -string text or -bool yes"
          : "\(given.map(\.name).joined(separator: " and ")) cannot be used together")
    }
    let text = invocation.argument(of: option) ?? ""
    do throws(PlistError.Kind) {
      switch option.name {
      case "-bool": return (try PlistValue(booleanText: text), [])
      case "-integer": return (try PlistValue(integerText: text), [])
      case "-float": return (try PlistValue(realText: text), [])
      case "-string": return (.string(text), [])
      case "-date": return (try PlistValue(dateText: text), [])
      case "-data":
        guard let data = Data(base64Encoded: text) else { throw .malformedBase64 }
        return (.data(data), [])
      case "-array": return (.array([]), [])
      case "-dictionary": return (.dictionary([:]), [])
      default: break
      }
    } catch {
      throw UsageError("\(option.name) \(text): \(error)")
    }
    do throws(PlistError) {
      let format: PlistFormat = option.name == "-xml" ? .xml : .json
      let document = try Plist.read(Data(text.utf8), as: format)
      // The element <plist> is optional on a command line.
      return (document.value, document.warnings.filter { $0.kind != .noPlistElement })
    } catch {
      throw UsageError("\(option.name): \(error)")
    }
  }
}
