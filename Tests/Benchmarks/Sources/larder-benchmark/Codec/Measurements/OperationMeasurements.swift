/// Measures one operation of all peers on each document.
enum OperationMeasurements {
  static func measure(
    _ operation: CodecOperation, _ workspace: CodecWorkspace, _ findings: inout Findings
  ) throws {
    for document in workspace.documents {
      var contenders: [Contender] = []
      for peer in workspace.peers.all {
        Terminal.show("\(operation.name), \(document.name), \(peer.name.rawValue)")
        do {
          guard let timer = try peer.timer(operation, document) else { continue }
          contenders.append(try .timed(peer.name.rawValue, workspace.budget, timer))
        } catch {
          findings.addFailure("\(document.name), \(peer.name.rawValue)", error)
        }
      }
      Terminal.show("\(operation.name), \(document.name)")
      let timings = try takeTimes(of: contenders, within: workspace.budget)
      let ordered = timings.first { $0.name == CodecPeerName.larderOrdered.rawValue }
      let others = timings.filter { $0.name != ordered?.name }
      findings.addComparison(
        document.name, others,
        target: { timing in
          CodecPeerName(rawValue: timing.name).flatMap { target(operation, document.name, $0) }
        }, isLimit: CodecPeerName.isLimit)
      // Other libraries do not sort.
      if let ordered, let peer = others.first(where: { $0.name == CodecPeerName.libplist.rawValue })
      {
        findings.add(
          document.name, ordered,
          ratio: ("\(peer.name) / this", peer.median / ordered.median), .atLeast(1.5))
      }
    }
  }

  /// Returns the target of a ratio, or nil if there is none.
  private static func target(
    _ operation: CodecOperation, _ document: String, _ peer: CodecPeerName
  ) -> Target? {
    let isLibrary = document == SampleDocuments.library
    return switch (operation, peer) {
    case (.readXML, .swiftSAX): .atMost(document == SampleDocuments.small ? 1.4 : 1.25)
    case (.readXML, .libplist) where document == SampleDocuments.text: .atLeast(1.3)
    case (.readXML, .foundation) where isLibrary: .atLeast(7)
    case (.writeXML, .libplist) where document == SampleDocuments.data: .atLeast(1.5)
    case (.writeXML, .foundation) where isLibrary: .atLeast(100)
    case (.readBinary, .libplist) where isLibrary: .atLeast(3)
    case (.readBinary, .foundation) where isLibrary: .atLeast(15)
    case (.writeBinary, .libplist) where isLibrary: .atLeast(15)
    case (.writeBinary, .foundation) where isLibrary: .atLeast(40)
    case (_, .libplist), (_, .rustPlist): .atLeast(1)
    default: nil
    }
  }
}
