import Foundation
import PropertyList

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
  do {
    _ = try Plist.read(data, as: format, options: options)
    return nil
  } catch {
    return "\(error)"
  }
}

/// Returns the text of the error that writing throws; nil if it succeeds.
func writeError(
  _ value: PlistValue, as format: PlistFormat, options: PlistWriteOptions = PlistWriteOptions()
) -> String? {
  do {
    _ = try Plist.write(value, as: format, options: options)
    return nil
  } catch {
    return "\(error)"
  }
}

/// Returns the XML of a value without the lines before and after it.
func xmlBody(_ value: PlistValue, options: PlistWriteOptions = PlistWriteOptions()) throws -> String
{
  let text = String(
    decoding: try Plist.write(value, as: .xml, options: options), as: UTF8.self)
  let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
  return lines.dropFirst(3).dropLast(2).joined(separator: "\n")
}

/// Returns the seconds from the start of 2001 to the start of a day, by Foundation's calendar.
func seconds(year: Int, month: Int, day: Int) -> Double {
  var calendar = Calendar(identifier: .gregorian)
  calendar.timeZone = TimeZone(identifier: "UTC")!
  let date = calendar.date(from: DateComponents(year: year, month: month, day: day))!
  return date.timeIntervalSinceReferenceDate
}
