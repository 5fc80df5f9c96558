import Foundation
import PropertyList
import TestSupport

/// A value generated from a seed.
struct RandomDocument: Sendable {
  let seed: UInt64
  var value: PlistValue

  /// The name of its files without extension.
  var name: String { "\(seed)" }

  /// The environment variables that generate only this document.
  var repetition: String { "LARDER_SEED=\(seed) LARDER_DOCUMENTS=1" }
}

/// The documents of this test run.
enum RandomDocuments {
  /// The documents, whose number is in the environment variable LARDER_DOCUMENTS and whose first
  /// seed is in LARDER_SEED.
  static let all: [RandomDocument] = {
    let seed = number("LARDER_SEED") ?? 20_010_101
    let count = number("LARDER_DOCUMENTS") ?? UInt64(TestScale.count(500))
    print("Random documents: LARDER_SEED=\(seed) LARDER_DOCUMENTS=\(count)")
    return (0..<count).map { offset in
      let seed = seed &+ offset
      return RandomDocument(seed: seed, value: RandomPlist.value(seed: seed))
    }
  }()

  /// The documents without the features that a peer does not preserve.
  static func without(_ features: Set<Feature>) -> [RandomDocument] {
    all.map { RandomDocument(seed: $0.seed, value: $0.value.without(features)) }
  }

  /// The documents with null in place of values that the format cannot represent.
  static func held(by format: PlistFormat) -> [RandomDocument] {
    guard format == .json else { return all }
    return all.map { RandomDocument(seed: $0.seed, value: $0.value.heldByJSON) }
  }

  private static func number(_ variable: String) -> UInt64? {
    guard let text = ProcessInfo.processInfo.environment[variable] else { return nil }
    guard let number = UInt64(text) else { preconditionFailure("\(variable) is not a number") }
    return number
  }
}

/// A feature of values that a peer does not preserve; DisagreementTests has the details.
enum Feature {
  /// The sign of a zero.
  case negativeZeros
  /// Carriage returns, which become line feeds, or are written as they are and not as `&#13;`.
  case carriageReturns
  /// Canonically equivalent keys in one dictionary; one remains.
  case equivalentKeys
  /// U+FEFF at the beginning of a string or key, which is taken for a byte-order mark.
  case leadingMarks
}

extension PlistValue {
  /// The value with null in place of values that JSON cannot represent.
  fileprivate var heldByJSON: PlistValue {
    switch self {
    case .dictionary(let dictionary):
      .dictionary(PlistDictionary(zip(dictionary.keys, dictionary.values.map(\.heldByJSON))))
    case .array(let elements): .array(elements.map(\.heldByJSON))
    case .date, .data: .null
    case .real(let number): number.isFinite ? self : .null
    case .float(let number): number.isFinite ? self : .null
    default: self
    }
  }

  /// Returns the value without some features; carriage returns become line feeds.
  func without(_ features: Set<Feature>) -> PlistValue {
    switch self {
    case .dictionary(let dictionary):
      var result = PlistDictionary()
      var seen: Set<String> = []
      for (key, value) in zip(dictionary.keys, dictionary.values) {
        let key = key.without(features)
        // Swift strings are equal if they are canonically equivalent.
        if seen.insert(key).inserted || !features.contains(.equivalentKeys) {
          result[key] = value.without(features)
        }
      }
      return .dictionary(result)
    case .array(let elements):
      return .array(elements.map { $0.without(features) })
    case .string(let string):
      return .string(string.without(features))
    case .real(let number) where number == 0 && features.contains(.negativeZeros):
      return .real(0)
    case .float(let number) where number == 0 && features.contains(.negativeZeros):
      return .float(0)
    default:
      return self
    }
  }
}

extension String {
  fileprivate func without(_ features: Set<Feature>) -> String {
    // By scalars, because CRLF is one character.
    var rest = unicodeScalars[...]
    if features.contains(.leadingMarks) { rest = rest.drop { $0 == "\u{FEFF}" } }
    guard features.contains(.carriageReturns) else { return String(rest) }

    var result = String.UnicodeScalarView()
    var previous: Unicode.Scalar?
    for scalar in rest {
      if scalar == "\r" {
        result.append("\n")
      } else if scalar != "\n" || previous != "\r" {
        result.append(scalar)
      }
      previous = scalar
    }
    return String(result)
  }
}
