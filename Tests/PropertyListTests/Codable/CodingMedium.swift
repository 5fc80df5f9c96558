import Foundation
import PropertyList

/// A medium that tests encode values to and decode them from.
enum CodingMedium: CaseIterable {
  case value, xml, binary

  /// Encodes a value and decodes the result.
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

extension CodingMedium {
  /// Decodes a type from a property list value, which is written as a document in document order
  /// unless the medium is a value.
  func decode<T: Decodable>(
    _ type: T.Type, from value: PlistValue, decoder: PlistDecoder = PlistDecoder()
  ) throws -> T {
    let options = PlistWriteOptions.with { $0.keyOrder = .document }
    switch self {
    case .value:
      return try decoder.decode(type, from: value)
    case .xml:
      let data = try Plist.write(value, as: .xml, options: options)
      return try decoder.decode(type, from: data)
    case .binary:
      let data = try Plist.write(value, as: .binary, options: options)
      return try decoder.decode(type, from: data)
    }
  }
}

/// Returns the coding path and the text of the error that encoding throws, or nil if it throws
/// none.
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

/// Returns the case, the coding path and the text of the error that decoding throws, or nil if it
/// throws none. All media must agree, except those that cannot hold the value.
func decodingError<T: Decodable>(
  _ type: T.Type, _ value: PlistValue, decoder: PlistDecoder = PlistDecoder(),
  media: [CodingMedium] = CodingMedium.allCases
) -> String? {
  var texts: [String?] = []
  for medium in media {
    do {
      _ = try medium.decode(type, from: value, decoder: decoder)
      texts.append(nil)
    } catch is PlistError {
      continue
    } catch {
      texts.append(decodingText(error))
    }
  }
  guard let first = texts.first, texts.allSatisfy({ $0 == first }) else {
    return "the media differ: \(texts)"
  }
  return first
}

/// Returns the case, the coding path and the text of a decoding error.
private func decodingText(_ error: any Error) -> String {
  switch error as? DecodingError {
  case .typeMismatch(let type, let context)?: return "mismatch \(type) " + context.line
  case .valueNotFound(let type, let context)?: return "no value \(type) " + context.line
  case .keyNotFound(let key, let context)?: return "no key \(key.stringValue) " + context.line
  case .dataCorrupted(let context)?: return "corrupted " + context.line
  default: return "\(error)"
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
