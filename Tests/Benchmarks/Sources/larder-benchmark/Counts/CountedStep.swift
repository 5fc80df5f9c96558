import Foundation
import PropertyList

/// Something that a process does once with the document of the counts.
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

  /// What the step does beforehand and is not counted: another step.
  var baseline: CountedStep? {
    switch self {
    case .loadXML, .loadBinary: nil
    case .readXML, .decodeXML: .loadXML
    case .readBinary, .decodeBinary: .loadBinary
    case .writeXML, .writeBinary: .readBinary
    case .encodeXML, .encodeBinary: .decodeBinary
    }
  }

  /// The format of the file that it begins with.
  var source: DocumentFormat {
    switch self {
    case .loadXML, .readXML, .decodeXML: .xml
    default: .binary
    }
  }

  /// Does the step, and ends the process before anything is released, so that what a step costs and
  /// what its baseline costs agree.
  ///
  /// - Parameter data: The document in the format of the source.
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
