import Foundation
import Preferences
import PropertyList

/// An operation that a process performs once, usually on a document.
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
  case open = "open a store"
  case set = "set a value"

  /// How often ``set`` sets a value.
  static let setCount = 10_000

  /// The step whose cost is subtracted, because this step performs it first.
  var baseline: CountedStep? {
    switch self {
    case .loadXML, .loadBinary, .open: nil
    case .set: .open
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
    case .open, .set:
      // Its clock does not advance, so that nothing is saved during the step.
      let store = PreferencesStore(fileAt: "/nonexistent/larder.plist", engine: .manual())
      store.set(0, forKey: "width")
      if self == .set { for number in 0..<Self.setCount { store.set(number, forKey: "width") } }
      end(keeping: store)
    }
  }

  private func end<Kept>(keeping kept: Kept) -> Never {
    withExtendedLifetime(kept) { exit(0) }
  }
}
