import Foundation
import PropertyList

/// How long decoding and encoding structs takes, beside Foundation's decoder and encoder.
enum CodableMeasurements {
  static func measure(_ workplace: CodecWorkplace, _ findings: inout Findings) throws {
    let document = try workplace.document(SampleDocuments.library)
    let library = try PlistDecoder().decode(MediaLibrary.self, from: document.binary)
    for format in DocumentFormat.allCases {
      try ensure(
        PropertyListDecoder().decode(MediaLibrary.self, from: document.data(format)) == library,
        "Foundation decodes another library")
      let encoded = try PlistEncoder(outputFormat: format.format).encode(library)
      try ensure(
        PlistDecoder().decode(MediaLibrary.self, from: encoded) == library,
        "Larder encodes another library")
    }

    for operation in CodecOperation.allCases {
      let title = "\(operation.isReading ? "decode" : "encode") \(operation.format.title)"
      Terminal.show(title)
      let contenders = try workplace.peers.ofStructs.compactMap { peer in
        try peer.timer(operation, document).map { timer in
          try Contender.timed(Self.names[peer.name]!.rawValue, workplace.budget, timer)
        }
      }
      let timings = try takeTimes(of: contenders, within: workplace.budget)
      findings.addComparison(title, timings) { _ in .atLeast(target(operation)) }
    }
  }

  /// Whose decoder it is.
  private static let names: [CodecPeerName: CodecPeerName] = [
    .larderStructs: .larder, .foundationStructs: .foundation,
  ]

  private static func target(_ operation: CodecOperation) -> Double {
    switch operation {
    case .readXML: 3.5
    case .readBinary: 7
    case .writeXML, .writeBinary: 5
    }
  }
}
