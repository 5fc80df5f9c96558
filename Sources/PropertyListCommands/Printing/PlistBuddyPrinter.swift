internal import Glibc
internal import PropertyList

/// Prints values as `Print` does: four spaces a level, `key = value` in document order.
struct PlistBuddyPrinter {
  private let transcript: Transcript
  private let escapes: Bool

  /// Prints a value, or throws an error if the text is far too large for the value.
  ///
  /// - Parameter escapes: Whether control characters except tabs and line feeds are escaped as
  ///   `\u{…}`, so that a value cannot control the terminal. Otherwise strings and data are printed
  ///   unchanged.
  static func print(
    _ value: PlistValue, escapes: Bool, to transcript: Transcript
  ) throws(PlistError.Kind) {
    try PlistBuddyPrinter(transcript: transcript, escapes: escapes).print(value)
  }

  /// The text with control characters except tabs and line feeds escaped as `\u{…}`.
  static func escaped(_ text: String) -> String {
    var escaped = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if scalar.isControl, scalar != "\n", scalar != "\t" {
        escaped.append(contentsOf: scalar.codePointEscape.unicodeScalars)
      } else {
        escaped.append(scalar)
      }
    }
    return String(escaped)
  }

  private func print(_ root: PlistValue) throws(PlistError.Kind) {
    var walk = PlistTreeWalk(root, keyOrder: .document)
    var allowance = ExpansionLimit(for: root)
    let start = transcript.printedSize
    while let event = walk.next() {
      try allowance.check(transcript.printedSize - start)
      transcript.print(String(repeating: "    ", count: walk.depth))
      switch event {
      case .open(let container):
        printKey(walk.key)
        transcript.print("\(Self.title(of: container.kind)) {\n")
      case .leaf(let leaf):
        printKey(walk.key)
        printLeaf(leaf)
        transcript.print("\n")
      case .close: transcript.print("}\n")
      }
    }
  }

  private func printKey(_ key: String?) {
    guard let key else { return }
    put(key)
    transcript.print(" = ")
  }

  private static func title(of kind: PlistValue.Kind) -> String {
    switch kind {
    case .dictionary: "Dict"
    case .array: "Array"
    default: "Set"
    }
  }

  private func printLeaf(_ value: PlistValue) {
    switch value {
    case .string(let string): put(string)
    case .data(let data):
      if escapes {
        put(String(decoding: data, as: UTF8.self))
      } else {
        transcript.write(data)
      }
    case .real(let number): transcript.print(number.sixDecimals ?? number.descriptionText)
    case .float(let number): transcript.print(number.sixDecimals ?? number.descriptionText)
    case .date(let date): transcript.print(date.commandText)
    case .uid(let uid): transcript.print("UID \(uid)")
    default: transcript.print(value.leafText)
    }
  }

  private func put(_ text: String) { transcript.print(escapes ? Self.escaped(text) : text) }
}

extension BinaryFloatingPoint where Self: LosslessStringConvertible {
  /// The number with six digits after the point, as `%f` prints it; nil if that would be a
  /// different number.
  var sixDecimals: String? {
    // The largest double has 309 digits before the point.
    var buffer = Array(repeating: CChar(0), count: 400)
    let count = withVaList([Double(self)]) { vsnprintf(&buffer, buffer.count, "%f", $0) }
    let text = String(
      decoding: buffer.prefix(Int(count)).map(UInt8.init(bitPattern:)), as: UTF8.self)
    return Self(text) == self ? text : nil
  }
}
