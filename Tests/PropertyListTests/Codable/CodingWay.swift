import Foundation
import PropertyList

/// The ways from a value through a property list and back.
enum CodingWay: CaseIterable {
  case value, xml, binary

  /// What comes back of a value.
  func roundTrip<T: Codable>(_ value: T) throws -> T {
    switch self {
    case .value:
      return try PlistDecoder().decode(T.self, from: PlistEncoder().encodeToValue(value))
    case .xml, .binary:
      let expected: PlistFormat = self == .xml ? .xml : .binary
      let data = try PlistEncoder(outputFormat: expected).encode(value)
      var format = PlistFormat.openStep
      let result = try PlistDecoder().decode(T.self, from: data, format: &format)
      guard format == expected else { throw CocoaError(.propertyListReadCorrupt) }
      return result
    }
  }
}

/// The error that encoding gives: its coding path and its text; nil where it gives none.
func encodingError(
  _ value: some Encodable, encoder: PlistEncoder = PlistEncoder()
) -> String? {
  do {
    _ = try encoder.encode(value)
    return nil
  } catch EncodingError.invalidValue(_, let context) {
    return context.line
  } catch {
    return "\(error)"
  }
}

/// The error that decoding gives: its case, its coding path and its text; nil where it gives none.
func decodingError<T: Decodable>(
  _ type: T.Type, _ value: PlistValue, decoder: PlistDecoder = PlistDecoder()
) -> String? {
  do {
    _ = try decoder.decode(type, from: value)
    return nil
  } catch let error as DecodingError {
    switch error {
    case .typeMismatch(let type, let context): return "mismatch \(type) " + context.line
    case .valueNotFound(let type, let context): return "no value \(type) " + context.line
    case .keyNotFound(let key, let context): return "no key \(key.stringValue) " + context.line
    case .dataCorrupted(let context): return "corrupted " + context.line
    @unknown default: return "\(error)"
    }
  } catch {
    return "\(error)"
  }
}

extension EncodingError.Context {
  fileprivate var line: String { "[\(codingPath.text)] \(debugDescription)" }
}

extension DecodingError.Context {
  fileprivate var line: String { "[\(codingPath.text)] \(debugDescription)" }
}

extension [any CodingKey] {
  fileprivate var text: String { map(\.stringValue).joined(separator: ", ") }
}
