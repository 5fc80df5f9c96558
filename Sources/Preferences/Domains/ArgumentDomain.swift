internal import FoundationEssentials
package import PropertyList

/// Parses a command line into the argument domain.
package enum ArgumentDomain {
  private enum Role {
    case key(String)
    /// A key and its value.
    case pair(String, String)
    case value
    case ignored
    case end
  }

  /// Parses the pairs `-key value` of a command line, whose first argument is the program's name,
  /// and by option `--key value` and `--key=value`.
  ///
  /// A key without a value and a value without a key are ignored, and the last pair of a key wins.
  /// `--` ends the pairs; a lone dash is a value.
  ///
  /// A value that begins with one of `{ ( < "` and parses as a property list is that property list;
  /// every other value is a string.
  package static func parse(
    _ arguments: [String], options: ArgumentOptions = ArgumentOptions()
  ) -> PlistDictionary {
    var domain = PlistDictionary()
    var pending: String?
    for argument in arguments.dropFirst() {
      switch role(of: argument, options) {
      case .key(let key): pending = key
      case .pair(let key, let text):
        domain[key] = value(text)
        pending = nil
      case .value:
        if let key = pending { domain[key] = value(argument) }
        pending = nil
      case .ignored: pending = nil
      case .end: return domain
      }
    }
    return domain
  }

  private static func role(of argument: String, _ options: ArgumentOptions) -> Role {
    // Scalars are compared, because a combining accent after the dash would form one character with
    // it.
    let scalars = argument.unicodeScalars
    guard scalars.first == "-", scalars.count > 1 else { return .value }
    if scalars.dropFirst().first == "-" {
      if scalars.count == 2 { return .end }
      if options.acceptsLongOptions { return longOption(scalars.dropFirst(2)) }
      if options.ignoreDoubleDashes { return .ignored }
    }
    if options.allowNegativeNumbers, Coercion.isDecimal(argument) { return .value }
    return .key(String(scalars.dropFirst()))
  }

  /// Reads an argument without its two dashes.
  private static func longOption(_ text: Substring.UnicodeScalarView) -> Role {
    guard let sign = text.firstIndex(of: "=") else { return .key(String(text)) }
    if sign == text.startIndex { return .ignored }
    return .pair(String(text[..<sign]), String(text[text.index(after: sign)...]))
  }

  private static func value(_ argument: String) -> PlistValue {
    guard let first = argument.utf8.first, "{(<\"".utf8.contains(first) else {
      return .string(argument)
    }
    // JSON stays text, as everywhere in the argument domain; `<` may begin OpenStep data or XML.
    let format: PlistFormat? = first == UInt8(ascii: "<") ? nil : .openStep
    return (try? Plist.read(Data(argument.utf8), as: format, options: readOptions))?.value
      ?? .string(argument)
  }

  /// The domain itself takes one level of nesting.
  private static let readOptions: PlistReadOptions = {
    var options = PlistReadOptions()
    options.limits.maximumDepth = PlistValue.depthLimit
    return options
  }()
}
