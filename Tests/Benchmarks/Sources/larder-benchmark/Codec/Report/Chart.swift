import Foundation

/// A chart of a report: the times of all peers on the most important documents, XML on the left and
/// binary on the right.
///
/// It has a background, so that it can be read on pages of any color.
struct Chart {
  private static let width = 880.0
  private static let margin = 24.0
  private static let gap = 24.0
  private static let title = "Time to read and write property lists"

  /// The measurements of both formats, side by side on one scale.
  private struct Row {
    var panels: [ChartPanel]

    var bars: [Finding] { panels.flatMap(\.bars) }
    var room: Int { panels.map(\.bars.count).max() ?? 0 }
    var height: Double { ChartPanel.height(bars: room) }

    /// From the power of ten below half of the shortest time, so that its bar is visible, to the
    /// power of ten above the longest.
    var scale: ClosedRange<Double> {
      let medians = bars.map(\.median)
      let low = pow(10, log10((medians.min() ?? 1) / 2).rounded(.down))
      let high = pow(10, log10(medians.max() ?? 1).rounded(.up))
      return low...max(high, low * 10)
    }
  }

  private struct Section {
    var title: String
    var rows: [Row]
  }

  private let sections: [Section]
  private let captions: [String]

  init(_ report: Report) {
    func row(_ measurements: [(title: String, group: String, name: String)]) -> Row? {
      let panels = measurements.map { measurement in
        ChartPanel(
          title: measurement.title,
          bars: report.findings.filter { finding in
            finding.group == measurement.group && finding.measurement == measurement.name
              && finding.contender != CodecPeerName.objectHeaders.rawValue
          })
      }
      return panels.allSatisfy(\.bars.isEmpty) ? nil : Row(panels: panels)
    }
    var sections: [Section] = []
    for document in report.documents
    where [SampleDocuments.library, SampleDocuments.small].contains(document.name) {
      let operations: [[CodecOperation]] = [[.readXML, .readBinary], [.writeXML, .writeBinary]]
      var rows = operations.map { pair in
        row(pair.map { ($0.title, $0.name, document.name) })
      }
      if document.name == SampleDocuments.library {
        for (verb, title) in [("decode", "to structs"), ("encode", "from structs")] {
          rows.append(
            row(
              DocumentFormat.allCases.map { format in
                (
                  "\(format == .xml ? "XML" : "Binary") \(title)", "codable",
                  "\(verb) \(format.title)"
                )
              }))
        }
      }
      let found = rows.compactMap(\.self)
      if !found.isEmpty { sections.append(Section(title: Self.heading(document), rows: found)) }
    }
    // The larger document is of more interest, so it comes first.
    self.sections = sections.reversed()
    captions = [
      "Median processor time on a logarithmic scale; shorter is faster, and × is the ratio to "
        + "Larder. “libxml2 alone” parses without creating values.",
      "\(report.machine["processor"] ?? ""), \(report.machine["cores"] ?? "") cores, Linux "
        + "\(report.machine["kernel"] ?? ""). \(report.versionsLine)."
        + (report.isQuick ? " A quick run." : ""),
    ]
  }

  private static func heading(_ document: Report.Document) -> String {
    func size(_ bytes: Int) -> String {
      bytes < 1_000_000
        ? Table.number(Double(bytes) / 1e3) + " KB" : Table.number(Double(bytes) / 1e6) + " MB"
    }
    let name = document.name.prefix(1).uppercased() + document.name.dropFirst()
    return "\(name): \(document.summary), \(size(document.xmlBytes)) of XML, "
      + "\(size(document.binaryBytes)) of binary"
  }

  // MARK: Drawing

  /// The chart as SVG.
  var svg: String {
    var canvas = SVGCanvas()
    let height = drawnHeight
    canvas.rectangle(
      x: 0.5, y: 0.5, width: Self.width - 1, height: height - 1, radius: 8, class: "ground")
    var y = Self.margin
    canvas.text(Self.title, x: Self.margin, y: y + 16, class: "title")
    y += 34
    let panelWidth = (Self.width - 2 * Self.margin - Self.gap) / 2
    for section in sections {
      canvas.text(section.title, x: Self.margin, y: y + 14, class: "section")
      y += 30
      for row in section.rows {
        for (index, panel) in row.panels.enumerated() where !panel.bars.isEmpty {
          panel.draw(
            on: &canvas, x: Self.margin + Double(index) * (panelWidth + Self.gap), y: y,
            width: panelWidth, scale: row.scale, room: row.room)
        }
        y += row.height + 10
      }
      y += 8
    }
    for caption in captions {
      canvas.text(caption, x: Self.margin, y: y + 10, class: "caption")
      y += 17
    }
    return canvas.document(
      width: Self.width, height: height, title: Self.title, style: Self.style)
  }

  private var drawnHeight: Double {
    let rows = sections.flatMap(\.rows).reduce(0) { $0 + $1.height + 10 }
    return Self.margin * 2 + 34 + Double(sections.count) * 38 + rows + Double(captions.count) * 17
  }

  private static let style = """
    text { font-family: -apple-system, "Segoe UI", "Noto Sans", Helvetica, Arial, sans-serif; \
    fill: #1f2328 }
    .ground { fill: #ffffff; stroke: #d1d9e0 }
    .title { font-size: 18px; font-weight: 600 }
    .section { font-size: 14px; font-weight: 600 }
    .heading { font-size: 13px }
    .name, .value { font-size: 12px }
    .strong { font-weight: 600 }
    .tick, .caption { font-size: 11px; fill: #59636e }
    .grid { stroke: #e3e8ed; stroke-width: 1 }
    .own { fill: #e8590c }
    .peer { fill: #a7b4c2 }
    .limit { fill: none; stroke: #818b98; stroke-dasharray: 3 2 }
    @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 }
    .ground { fill: #0d1117; stroke: #3d444d }
    .tick, .caption { fill: #9198a1 }
    .grid { stroke: #262c36 }
    .own { fill: #f0883e }
    .peer { fill: #56616e }
    .limit { stroke: #9198a1 }
    }
    """
}
