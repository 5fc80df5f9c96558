internal import CommandLineInterface
internal import FoundationEssentials
internal import PropertyList

/// `-diff`
extension PropertyListTool {
  /// Prints the differences of two property lists. The exit status is that of `diff`: 1 if they
  /// differ, and 2 if the comparison fails.
  static func compare(_ invocation: Invocation, in session: Session) throws(UsageError) {
    session.failureStatus = differenceFailure
    let inputs = try InputFile.all(of: invocation)
    guard let first = inputs[0].read(in: session), let second = inputs[1].read(in: session) else {
      return
    }

    for (input, document) in zip(inputs, [first, second]) where document.format == .binary {
      do throws(PlistError) {
        try document.value.checkExpansion()
      } catch {
        return session.report("\(error)", about: input.name)
      }
    }
    let silent = invocation.has(Option.silent)
    var differ = false
    PlistComparison.compare(first.value, with: second.value) { difference in
      if !silent {
        if !differ {
          session.print("--- \(inputs[0].name.onOneLine)", in: .heading)
          session.print("\n")
          session.print("+++ \(inputs[1].name.onOneLine)", in: .heading)
          session.print("\n")
        }
        let (sign, style): (String, TextStyle) =
          difference.side == .first ? ("-", .removed) : ("+", .added)
        let path = difference.path.isRoot ? "" : "\(difference.path)".onOneLine
        session.print("\(sign) \(path): \(exactText(of: difference.value))", in: style)
        session.print("\n")
      }
      differ = true
    }
    if differ { session.succeed(with: 1) }
  }

  /// The exit status of a failed `-diff`.
  static let differenceFailure: Int32 = 2

  /// A value as `-p` prints it, with the details that `-p` leaves out.
  private static func exactText(of value: PlistValue) -> String {
    let text = PlistPrinter.text(of: value)
    switch value {
    case .date(let date)
    where date.timeIntervalSinceReferenceDate.rounded(.down) != date.timeIntervalSinceReferenceDate:
      return "\(text) (\(date.timeIntervalSinceReferenceDate) s since 2001)"
    case .data(let data) where data.count > 24:
      return "\(text) (base64 \(data.base64EncodedString()))"
    default:
      return text
    }
  }
}
