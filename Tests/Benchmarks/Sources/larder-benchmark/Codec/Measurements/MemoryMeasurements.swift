import Foundation

/// Measures the peak memory of reading, each time in a new process, minus the peak of a process
/// that only loads the file.
enum MemoryMeasurements {
  static func measure(_ workspace: CodecWorkspace, _ findings: inout Findings) throws {
    let document = try workspace.document(SampleDocuments.library)
    let readers = MemoryProcess.Reader.allCases.filter { $0 != .none }
    for format in DocumentFormat.allCases {
      let path = document.path(format)
      let limit = format == .xml ? 45.0 : 30.0
      for reader in readers {
        Terminal.show("memory, \(format.title), \(reader.rawValue)")
        do {
          let peaks = try (0..<(workspace.options.isQuick ? 1 : 3)).map { _ in
            try MemoryProcess.peak(reader, path) - MemoryProcess.peak(.none, path)
          }
          findings.add(
            format.title, Timing(name: reader.rawValue, samples: peaks), unit: .bytes,
            reader == .larder ? .atMost(limit * 1_048_576) : nil)
        } catch {
          findings.addFailure("\(format.title), \(reader.rawValue)", error)
        }
      }
      do {
        let peaks = try (0..<(workspace.options.isQuick ? 1 : 3)).map { _ in
          try PlistlibMemory.peak(path, parses: true) - PlistlibMemory.peak(path, parses: false)
        }
        findings.add(format.title, Timing(name: "plistlib", samples: peaks), unit: .bytes)
      } catch {
        findings.addFailure("\(format.title), plistlib", error)
      }
    }
  }
}
