import Foundation
import PropertyList

extension FuzzTarget {
  /// Every writer, and the reader of what it writes.
  ///
  /// A value that a format can represent is written, read back as the same value except for what
  /// Formats.md lists, and then written as the same bytes. A value that the format cannot represent
  /// is refused.
  static let roundTrip = FuzzTarget(name: "roundtrip") { data in
    for format in [nil, PlistFormat.openStep] {
      var options = PlistReadOptions.small
      options.allowsTypedValues = format != nil
      guard let value = try? Plist.read(data, as: format, options: options).value else { continue }
      _ = "\(value)"
      for writing in Writing.all { try writing.check(value) }
    }
  }
}

/// A format with options for writing it.
private struct Writing: CustomStringConvertible {
  let description: String
  let format: PlistFormat
  let options: PlistWriteOptions

  private init(
    _ description: String, _ format: PlistFormat,
    _ change: (inout PlistWriteOptions) -> Void = { _ in }
  ) {
    self.description = description
    self.format = format
    var options = PlistWriteOptions()
    change(&options)
    self.options = options
  }

  static let all = [
    Writing("XML", .xml),
    Writing("XML in document order", .xml) { $0.keyOrder = .document },
    Writing("binary", .binary),
    Writing("binary in document order", .binary) { $0.keyOrder = .document },
    Writing("JSON", .json),
    Writing("pretty JSON", .json) { $0.isPrettyPrinted = true },
    Writing("lossy JSON", .json) { $0.allowsLossyConversion = true },
    Writing("OpenStep text", .openStep),
    Writing("lossy OpenStep text", .openStep) { $0.allowsLossyConversion = true },
    Writing("OpenStep text with typed values", .openStep) { $0.writesTypedValues = true },
    Writing("a strings table", .openStep) { $0.writesStringsTable = true },
    Writing("a strings table with typed values", .openStep) {
      $0.writesStringsTable = true
      $0.writesTypedValues = true
    },
  ]

  func check(_ value: PlistValue) throws {
    var expectation = Expectation(writing: self)
    let expected = expectation.value(for: value)
    let data: Data
    do throws(PlistError) {
      data = try Plist.write(value, as: format, options: options)
    } catch {
      try expectLine(error)
      let isAllowed = expectation.isRefused || expectation.mayBeRefused
      return try expect(isAllowed, "\(description) refuses a value that it can hold: \(error)")
    }
    try expect(!expectation.isRefused, "\(description) is written with a value that it cannot hold")

    let document: PlistDocument
    do throws(PlistError) {
      document = try Plist.read(data, as: format, options: .liberal)
    } catch {
      throw Finding(description: "\(description) is refused: \(error)")
    }
    // Strings that replace other values are checked by writing them once more.
    if !options.allowsLossyConversion, document.value != expected {
      let text = TypedText(document.value).difference(from: TypedText(expected))
      throw Finding(description: "\(description) is read as another value: \(text ?? "?")")
    }
    try expect(
      document.warnings.isEmpty || isBareWord(document),
      "\(description) is read with a warning: \(document.warnings)")
    // A string alone is quoted, but what becomes one is a bare word.
    if !isBareWord(document) {
      let again = try Plist.write(document.value, as: format, options: options)
      try expect(again == data, "\(description) is not written the same way again")
    }
    try checkDetection(of: data, document.value)
  }

  /// Whether a document may be a bare word, as a number that becomes a string is.
  private func isBareWord(_ document: PlistDocument) -> Bool {
    if case .string = document.value { options.allowsLossyConversion } else { false }
  }

  /// Checks that the format of a document is detected where Formats.md says so.
  private func checkDetection(of data: Data, _ value: PlistValue) throws {
    let detected = PlistFormat(detecting: data)
    switch (format, value) {
    case (.openStep, .dictionary(let dictionary))
    where dictionary.isEmpty && !options.writesStringsTable:
      try expect(detected == .json, "{} is detected as \(detected)")
    case (.json, .dictionary), (.json, .array), (.xml, _), (.binary, _), (.openStep, _):
      try expect(detected == format, "\(description) is detected as \(detected)")
    case (.json, _):
      break
    }
  }
}

/// The value that is read back after a value was written, as Formats.md says.
private struct Expectation {
  let writing: Writing
  /// Whether the format cannot hold the value.
  private(set) var isRefused = false
  /// Whether a limit may be exceeded by writing.
  private(set) var mayBeRefused = false

  init(writing: Writing) {
    self.writing = writing
  }

  private var format: PlistFormat { writing.format }

  mutating func value(for root: PlistValue) -> PlistValue {
    if writing.options.writesStringsTable, root.kind != .dictionary { isRefused = true }
    return convert(root)
  }

  private mutating func convert(_ value: PlistValue) -> PlistValue {
    switch value {
    case .dictionary(let dictionary):
      if format == .xml, dictionary.count == 1, case .integer(let number)? = dictionary["CF$UID"],
        UInt32(exactly: number) != nil
      {
        isRefused = true
      }
      var converted = PlistDictionary()
      for (key, value) in dictionary {
        check(key)
        converted[key] = convert(value)
      }
      return .dictionary(converted)
    case .array(let elements):
      return .array(elements.map { convert($0) })
    case .set(let elements):
      if format != .binary { isRefused = true }
      return .set(elements.map { convert($0) })
    case .string(let string):
      check(string)
    case .integer, .unsignedInteger, .boolean:
      if format == .openStep { checkOpenStep() }
    case .real(let number):
      check(number)
    case .float(let number):
      check(Double(number))
    case .date(let date):
      return .date(convert(date))
    case .data:
      if format == .json, !writing.options.allowsLossyConversion { isRefused = true }
    case .uid:
      if format == .json || format == .openStep { isRefused = true }
      // In XML it is a dictionary, which may be nested too deep.
      if format == .xml { mayBeRefused = true }
    case .null:
      if format == .xml || format == .openStep { isRefused = true }
    }
    return value
  }

  private mutating func check(_ text: String) {
    guard format == .xml else { return }
    let isExcluded = text.unicodeScalars.contains {
      ($0.value < 0x20 && $0 != "\t" && $0 != "\n" && $0 != "\r") || $0.value == 0xFFFE
        || $0.value == 0xFFFF
    }
    if isExcluded { isRefused = true }
  }

  private mutating func check(_ number: Double) {
    if format == .json, !number.isFinite { isRefused = true }
    if format == .openStep { checkOpenStep() }
  }

  private mutating func convert(_ date: Date) -> Date {
    guard format != .binary else { return date }
    if format == .json, !writing.options.allowsLossyConversion { isRefused = true }
    if format == .openStep { checkOpenStep() }
    // About 199,999,000 years.
    if date.timeIntervalSinceReferenceDate.magnitude > 6.311e15 { mayBeRefused = true }
    return Date(
      timeIntervalSinceReferenceDate: date.timeIntervalSinceReferenceDate.rounded(.down))
  }

  /// Notes a value that OpenStep text cannot represent alone.
  private mutating func checkOpenStep() {
    let options = writing.options
    if !options.writesTypedValues, !options.allowsLossyConversion { isRefused = true }
  }
}
