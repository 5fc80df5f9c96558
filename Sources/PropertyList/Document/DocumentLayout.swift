package import FoundationEssentials

/// The layout of a document's text, which is preserved when the document is changed.
package struct DocumentLayout: Sendable {
  /// Whether JSON is pretty-printed, with a line for each value.
  package var isIndented = false
  package var endsLine = true
  package var isStringsTable = false
  package var hasTypedValues = false

  package init() {}

  /// The layout of a document that was read from these bytes.
  ///
  /// - Parameter encoding: The encoding of OpenStep text without a byte-order mark; nil for UTF-8.
  package init(of document: PlistDocument, in data: Data, encoding: String? = nil) {
    switch document.format {
    case .json:
      isIndented = data.dropLast().contains(UInt8(ascii: "\n"))
      endsLine = data.last == UInt8(ascii: "\n")
    case .openStep:
      isStringsTable =
        document.value.kind == .dictionary && Plist.isStringsTable(data, encoding: encoding)
      // OpenStep text has numbers, booleans and dates only as typed values.
      hasTypedValues = document.value.hasTypedValues
    case .xml, .binary: break
    }
  }
}

extension PlistWriteOptions {
  /// Selects JSON with a line for each value, and keys in natural order.
  package mutating func printPretty() {
    isPrettyPrinted = true
    keyOrder = .natural
  }

  /// Applies a layout, as far as the kind of the value allows.
  package mutating func keep(_ layout: DocumentLayout, for value: PlistValue) {
    if layout.isIndented { printPretty() }
    writesStringsTable = layout.isStringsTable && value.kind == .dictionary
    if layout.hasTypedValues { writesTypedValues = true }
    endsLine = layout.endsLine
  }
}

extension PlistValue {
  /// Whether the value is or contains a number, a boolean or a date, which OpenStep text can only
  /// represent as GNUstep's typed values.
  fileprivate var hasTypedValues: Bool {
    var walk = PlistTreeWalk(self, keyOrder: .document)
    while let event = walk.next() {
      if case .leaf(let value) = event, ![.string, .data].contains(value.kind) { return true }
    }
    return false
  }
}
