import Foundation
import FuzzTargets
import Testing

/// The targets of `make fuzz`, with the inputs of the repository alone.
@Suite("Fuzz targets")
struct FuzzTargetTests {
  @Test("what has to hold for any bytes holds for all fixtures", arguments: FuzzTarget.all)
  func fixtures(target: FuzzTarget) throws {
    let files = try Self.files(in: "Fixtures")
    #expect(files.count > 500)
    for file in files { Self.check(file, target) }
  }

  @Test("what has to hold for any bytes holds for the corpora", arguments: FuzzTarget.all)
  func corpora(target: FuzzTarget) throws {
    let files = try Self.files(in: "Corpora")
    #expect(files.count > 10)
    for file in files { Self.check(file, target) }
  }

  @Test("a target is found by its name, and every corpus is one of a target")
  func names() throws {
    #expect(FuzzTarget.named("xml")?.name == "xml")
    #expect(FuzzTarget.named("none") == nil)
    let corpora = Set(
      try Self.files(in: "Corpora").map { $0.deletingLastPathComponent().lastPathComponent })
    #expect(corpora.subtracting(FuzzTarget.all.map(\.name)) == [])
  }

  private static func check(_ file: URL, _ target: FuzzTarget) {
    do {
      try target.check(try Data(contentsOf: file))
    } catch {
      Issue.record("\(file.lastPathComponent): \(error)")
    }
  }

  /// The files in a folder of the resources, at any depth.
  private static func files(in folder: String) throws -> [URL] {
    let root = Bundle.module.bundleURL.appending(path: folder)
    let files = FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)
    return (files.map { $0.compactMap { $0 as? URL } } ?? [])
      .filter { (try? $0.resourceValues(forKeys: [.isRegularFileKey]))?.isRegularFile == true }
  }
}
