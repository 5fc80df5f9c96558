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

extension CodingWay {
  /// What a type makes of a value, in the order of its keys; where the way is one of documents, of the
  /// value written as such.
  func decode<T: Decodable>(
    _ type: T.Type, from value: PlistValue, decoder: PlistDecoder = PlistDecoder()
  ) throws -> T {
    var options = PlistWriteOptions()
    options.keyOrder = .document
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

/// The error that decoding gives on each of the ways, which have to agree: its case, its coding path and
/// its text; nil where it gives none. A way that cannot hold the value is passed over.
func decodingError<T: Decodable>(
  _ type: T.Type, _ value: PlistValue, decoder: PlistDecoder = PlistDecoder(),
  ways: [CodingWay] = CodingWay.allCases
) -> String? {
  var texts: [String?] = []
  for way in ways {
    do {
      _ = try way.decode(type, from: value, decoder: decoder)
      texts.append(nil)
    } catch is PlistError {
      continue
    } catch {
      texts.append(decodingText(error))
    }
  }
  guard let first = texts.first, texts.allSatisfy({ $0 == first }) else {
    return "the ways differ: \(texts)"
  }
  return first
}

/// The case of an error of decoding, its coding path and its text.
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
