import Foundation
import PropertyList

/// Measures decoding and encoding of structs, compared with Foundation's decoder and encoder.
enum CodableMeasurements {
  static func measure(_ workspace: CodecWorkspace, _ findings: inout Findings) throws {
    let document = try workspace.document(SampleDocuments.library)
    let library = try PlistDecoder().decode(MediaLibrary.self, from: document.binary)
    try ensure(
      MediaLibrary(Plist.read(document.binary).value) == library
        && MediaLibrary(library.value) == library, "code by hand reads a different library")
    for format in DocumentFormat.allCases {
      try ensure(
        PropertyListDecoder().decode(MediaLibrary.self, from: document.data(format)) == library,
        "Foundation decodes a different library")
      let encoded = try PlistEncoder(outputFormat: format.format).encode(library)
      try ensure(
        PlistDecoder().decode(MediaLibrary.self, from: encoded) == library,
        "Larder encodes a different library")
    }

    for operation in CodecOperation.allCases {
      let title = "\(operation.isReading ? "decode" : "encode") \(operation.format.title)"
      Terminal.show(title)
      let contenders = try workspace.peers.ofStructs.compactMap { peer in
        try peer.timer(operation, document).map { timer in
          try Contender.timed(
            peer.name.rawValue.replacing(", structs", with: ""), workspace.budget, timer)
        }
      }
      let timings = try takeTimes(of: contenders, within: workspace.budget)
      findings.addComparison(
        title, timings,
        target: { timing in
          timing.name == CodecPeerName.foundation.rawValue
            ? .atLeast(operation.format == .xml ? 4 : 6) : .atMost(1.5)
        }, isLimit: CodecPeerName.isLimit)
    }
  }
}
