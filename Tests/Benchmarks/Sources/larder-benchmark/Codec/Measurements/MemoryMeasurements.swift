import Foundation

/// How much memory reading takes at its peak, each time in a new process, above that of a process
/// which only loads the file.
enum MemoryMeasurements {
  static func measure(_ workplace: CodecWorkplace, _ findings: inout Findings) throws {
    let document = try workplace.document(SampleDocuments.library)
    let readers = MemoryProcess.Reader.allCases.filter { $0 != .nobody }
    for format in DocumentFormat.allCases {
      let path = document.path(format)
      let limit = format == .xml ? 45.0 : 30.0
      for reader in readers {
        Terminal.show("memory, \(format.title), \(reader.rawValue)")
        do {
          let peaks = try (0..<(workplace.options.isQuick ? 1 : 3)).map { _ in
            try MemoryProcess.peak(reader, path) - MemoryProcess.peak(.nobody, path)
          }
          findings.add(
            format.title, Timing(name: reader.rawValue, samples: peaks), unit: .bytes,
            reader == .larder ? .atMost(limit * 1_048_576) : nil)
        } catch {
          findings.addFailure("\(format.title), \(reader.rawValue)", error)
        }
      }
      do {
        let peaks = try (0..<(workplace.options.isQuick ? 1 : 3)).map { _ in
          try PlistlibMemory.peak(path, isRead: true) - PlistlibMemory.peak(path, isRead: false)
        }
        findings.add(format.title, Timing(name: "plistlib", samples: peaks), unit: .bytes)
      } catch {
        findings.addFailure("\(format.title), plistlib", error)
      }
    }
  }
}
