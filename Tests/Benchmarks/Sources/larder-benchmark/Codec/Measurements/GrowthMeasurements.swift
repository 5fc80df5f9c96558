import Foundation

/// Measures the time per byte by size of the document, which should be constant.
enum GrowthMeasurements {
  /// The number of tracks of the document that the others are compared with: about 2 MB of XML.
  private static let reference = 2_000

  static func measure(_ workspace: CodecWorkspace, _ findings: inout Findings) throws {
    let sizes = [20, 200, 2_000, 20_000] + (workspace.options.isQuick ? [] : [200_000])
    let codec = try CodecProcess(.larder)
    var timings: [CodecOperation: [(tracks: Int, timing: Timing)]] = [:]
    for tracks in sizes {
      Terminal.show("growth, \(tracks) tracks")
      let document = try SampleDocument(
        "growth-\(tracks)", MediaLibrary.value(tracks: tracks), in: workspace.folder)
      defer { document.removeFiles() }
      for operation in CodecOperation.allCases {
        Terminal.show("growth, \(tracks) tracks, \(operation.name)")
        guard let timer = try codec.timer(operation, document) else { continue }
        let bytes = Double(document.data(operation.format).count)
        let contender = try Contender.timed(Self.size(bytes), workspace.budget, timer)
        let timing = try takeTimes(of: [contender], within: workspace.budget)[0]
        timings[operation, default: []].append(
          (tracks, Timing(name: timing.name, samples: timing.samples.map { $0 / bytes })))
      }
    }
    for operation in CodecOperation.allCases {
      let curve = timings[operation] ?? []
      guard let base = curve.first(where: { $0.tracks == reference }) else { continue }
      for point in curve {
        findings.add(
          operation.title, point.timing, unit: .nanosecondsPerByte,
          ratio: ("/ \(base.timing.name)", point.timing.median / base.timing.median),
          point.tracks == reference ? nil : .atMost(1.4))
      }
    }
  }

  private static func size(_ bytes: Double) -> String {
    bytes < 999_500
      ? String(format: "%.3g KB", bytes / 1_000) : String(format: "%.3g MB", bytes / 1_000_000)
  }
}
