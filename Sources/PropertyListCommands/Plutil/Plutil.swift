internal import CommandLineInterface
internal import FoundationEssentials
internal import PropertyList

/// `plutil`: checks, prints, converts, changes and compares property lists.
package enum Plutil {
  /// Runs the tool with the process's command line and standard streams.
  ///
  /// - Returns: The exit status: 0, or 1 if anything failed; for `-diff` that of `diff`.
  package static func run() -> Int32 { table.run() }

  /// The exit status of failed commands that have one of their own without a failure, as `diff` and
  /// `grep` have: `-diff`, `-find`, `-patch` and `-merge`.
  static let troubleStatus: Int32 = 2
}

/// A line of a file that `-patch` or `-set` reads.
struct TextLine {
  let file: String
  let number: Int
  let text: String

  var object: PlistDictionary {
    get throws {
      let value: PlistValue
      do throws(PlistError) {
        value = try Plist.read(Data(text.utf8), as: .json).value
      } catch {
        throw CommandFailure("expected a JSON object: \(error.kind)")
      }
      guard case .dictionary(let object) = value else {
        throw CommandFailure("expected a JSON object")
      }
      return object
    }
  }
}

extension Plutil {
  /// Reads the lines of the file that is a verb's argument, without empty ones; nil after a report that
  /// it cannot be read.
  static func lines(
    of invocation: Invocation, in session: Session
  ) throws(UsageError) -> [TextLine]? {
    let input = InputFile(operand: invocation.arguments[0])
    guard !input.isStandardInput || !invocation.operands.contains("-") else {
      throw UsageError("standard input can only be read once")
    }
    guard let data = input.readData(in: session) else { return nil }
    var lines: [TextLine] = []
    let texts = data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, bytes) in texts.enumerated() {
      guard let text = String(validating: bytes, as: UTF8.self) else {
        session.report("line \(index + 1): the text is not UTF-8", about: input.name)
        return nil
      }
      guard !text.isEmpty else { continue }
      lines.append(TextLine(file: input.name, number: index + 1, text: text))
    }
    return lines
  }
}
