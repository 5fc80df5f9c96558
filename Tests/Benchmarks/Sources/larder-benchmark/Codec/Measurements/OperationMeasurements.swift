/// Measures one operation of all peers on each document.
enum OperationMeasurements {
  static func measure(
    _ operation: CodecOperation, _ workspace: CodecWorkspace, _ findings: inout Findings
  ) throws {
    for document in workspace.documents {
      var names: [CodecPeerName] = []
      var contenders: [Contender] = []
      for peer in workspace.peers.all {
        Terminal.show("\(operation.name), \(document.name), \(peer.name.rawValue)")
        do {
          guard let timer = try peer.timer(operation, document) else { continue }
          contenders.append(try .timed(peer.name.rawValue, workspace.budget, timer))
          names.append(peer.name)
        } catch {
          findings.addFailure("\(document.name), \(peer.name.rawValue)", error)
        }
      }
      Terminal.show("\(operation.name), \(document.name)")
      let timings = try takeTimes(of: contenders, within: workspace.budget)
      guard names.first == .larder else { continue }
      findings.add(document.name, timings[0])
      for (name, timing) in zip(names, timings).dropFirst() {
        let ratio = timing.median / timings[0].median
        findings.add(
          document.name, timing,
          ratio: name.isLimit
            ? ("Larder / \(name.rawValue)", 1 / ratio) : ("\(name.rawValue) / Larder", ratio),
          target(operation, document.name, name))
      }
    }
  }

  /// Returns the target of a ratio, or nil if there is none.
  private static func target(
    _ operation: CodecOperation, _ document: String, _ peer: CodecPeerName
  ) -> Table.Target? {
    let isLibrary = document == SampleDocuments.library
    return switch (operation, peer) {
    case (.readXML, .emptySAX) where isLibrary: .atMost(1.3)
    case (.readXML, .emptySAX) where document == SampleDocuments.small: .atMost(1.5)
    case (.readXML, .emptySAX) where document == SampleDocuments.manyKeys: .atMost(1.8)
    case (.readXML, .libplist) where document == SampleDocuments.text: .atLeast(1.5)
    case (.readXML, .foundation) where isLibrary: .atLeast(7)
    case (.writeXML, .libplist) where isLibrary: .atLeast(2)
    case (.writeXML, .libplist) where document == SampleDocuments.data: .atLeast(1.5)
    case (.writeXML, .foundation) where isLibrary: .atLeast(100)
    case (.readBinary, .libplist) where isLibrary: .atLeast(3)
    case (.readBinary, .foundation) where isLibrary: .atLeast(15)
    case (.writeBinary, .libplist) where isLibrary: .atLeast(15)
    case (.writeBinary, .foundation) where isLibrary: .atLeast(40)
    case (.writeXML, .libplist) where SampleDocuments.hasUnsortedKeys(document): .atLeast(1)
    case (.writeBinary, .libplist) where document == SampleDocuments.data: .atLeast(1)
    case (.readXML, .libplist), (.readBinary, .libplist): .atLeast(1)
    case (_, .rustPlist): .atLeast(1)
    default: nil
    }
  }
}
