import Foundation
public import PropertyList
import TestSupport

/// Reads a document from a literal.
func read(
  _ text: String, as format: PlistFormat = .xml, options: PlistReadOptions = PlistReadOptions()
) throws(PlistError) -> PlistDocument {
  try Plist.read(Data(text.utf8), as: format, options: options)
}

/// Returns the text of the error that reading throws; nil if it succeeds.
func readError(
  _ data: Data, as format: PlistFormat? = nil, options: PlistReadOptions = PlistReadOptions()
) -> String? {
  errorText { _ = try Plist.read(data, as: format, options: options) }
}

/// Returns the text of the error that reading a literal throws; nil if it succeeds.
func readError(
  _ text: String, as format: PlistFormat? = nil, options: PlistReadOptions = PlistReadOptions()
) -> String? {
  readError(Data(text.utf8), as: format, options: options)
}

/// Returns the text of the error that writing throws; nil if it succeeds.
func writeError(
  _ value: PlistValue, as format: PlistFormat, options: PlistWriteOptions = PlistWriteOptions()
) -> String? {
  errorText { _ = try Plist.write(value, as: format, options: options) }
}

/// Returns the XML of a value without the lines before and after it.
func xmlBody(_ value: PlistValue, options: PlistWriteOptions = PlistWriteOptions()) throws -> String
{
  let text = String(
    decoding: try Plist.write(value, as: .xml, options: options), as: UTF8.self)
  let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
  return lines.dropFirst(3).dropLast(2).joined(separator: "\n")
}

/// All keys of a value in order, outer ones before inner ones.
func keys(of value: PlistValue) -> [String] {
  switch value {
  case .dictionary(let dictionary):
    Array(dictionary.keys) + dictionary.values.flatMap { keys(of: $0) }
  case .array(let elements), .set(let elements): elements.flatMap { keys(of: $0) }
  default: []
  }
}

extension PlistValue {
  /// A date in seconds since the start of 2001.
  static func time(_ seconds: Double) -> PlistValue {
    .date(Date(timeIntervalSinceReferenceDate: seconds))
  }
}

extension PlistReadOptions {
  /// The default options with a change.
  static func with(_ change: (inout PlistReadOptions) -> Void) -> PlistReadOptions {
    var options = PlistReadOptions()
    change(&options)
    return options
  }
}

extension PlistWriteOptions {
  /// The default options with a change.
  static func with(_ change: (inout PlistWriteOptions) -> Void) -> PlistWriteOptions {
    var options = PlistWriteOptions()
    change(&options)
    return options
  }
}

extension PlistKeyPath: ExpressibleByStringLiteral {
  /// Creates a path from its text.
  public init(stringLiteral text: String) { self.init(text) }
}

/// Returns the seconds from the start of 2001 to the start of a day, by Foundation's calendar.
func seconds(year: Int, month: Int, day: Int) -> Double {
  var calendar = Calendar(identifier: .gregorian)
  calendar.timeZone = TimeZone(identifier: "UTC")!
  let date = calendar.date(from: DateComponents(year: year, month: month, day: day))!
  return date.timeIntervalSinceReferenceDate
}
