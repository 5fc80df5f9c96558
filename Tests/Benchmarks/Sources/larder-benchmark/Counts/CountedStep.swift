import Foundation
import PropertyList

/// An operation on a document that a process performs once.
enum CountedStep: String, CaseIterable {
  case loadXML = "load XML"
  case loadBinary = "load binary"
  case readXML = "read XML"
  case readBinary = "read binary"
  case writeXML = "write XML"
  case writeBinary = "write binary"
  case decodeXML = "decode XML"
  case decodeBinary = "decode binary"
  case encodeXML = "encode XML"
  case encodeBinary = "encode binary"

  /// The step whose cost is subtracted, because this step performs it first.
  var baseline: CountedStep? {
    switch self {
    case .loadXML, .loadBinary: nil
    case .readXML, .decodeXML: .loadXML
    case .readBinary, .decodeBinary: .loadBinary
    case .writeXML, .writeBinary: .readBinary
    case .encodeXML, .encodeBinary: .decodeBinary
    }
  }

  /// The format of the file that the step loads.
  var source: DocumentFormat {
    switch self {
    case .loadXML, .readXML, .decodeXML: .xml
    default: .binary
    }
  }

  /// Performs the step and exits before anything is released, so that a step and its baseline have
  /// the same costs in common.
  ///
  /// - Parameter data: The document in the source format.
  func runAndExit(_ data: Data) throws -> Never {
    switch self {
    case .loadXML, .loadBinary:
      end(keeping: data)
    case .readXML, .readBinary:
      end(keeping: try Plist.read(data))
    case .writeXML, .writeBinary:
      let document = try Plist.read(data)
      let written = try Plist.write(
        document.value, as: self == .writeXML ? .xml : .binary)
      end(keeping: (data, document, written))
    case .decodeXML, .decodeBinary:
      end(keeping: try PlistDecoder().decode(MediaLibrary.self, from: data))
    case .encodeXML, .encodeBinary:
      let library = try PlistDecoder().decode(MediaLibrary.self, from: data)
      let encoder = PlistEncoder(outputFormat: self == .encodeXML ? .xml : .binary)
      end(keeping: (data, library, try encoder.encode(library)))
    }
  }

  private func end<Kept>(keeping kept: Kept) -> Never {
    withExtendedLifetime(kept) { exit(0) }
  }
}
