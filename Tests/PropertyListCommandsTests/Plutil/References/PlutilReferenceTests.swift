import Foundation
import TestSupport
import Testing

@Suite("plutil and the toolchain's")
struct PlutilReferenceTests {
  /// The plutil beside the compiler; nil if there is none.
  private static let toolchain: String? = {
    let compiler = try? Plutil.shell("realpath $(command -v swiftc)", in: TemporaryFolder())
    let path = compiler?.text.trimmingCharacters(in: .newlines) ?? ""
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
    let program = folder.appendingPathComponent("plutil").path
    return FileManager.default.isExecutableFile(atPath: program) ? program : nil
  }()

  @Test(
    "prints and writes the same on success",
    .enabled(if: toolchain != nil, "the toolchain has no plutil"),
    arguments: PlutilReference.agreed)
  func agreement(reference: PlutilReference) throws {
    let ours = try reference.outcome(with: Plutil.program.path)
    let theirs = try reference.outcome(with: #require(Self.toolchain))
    #expect(ours == theirs)
    #expect(ours.status == 0)
    #expect(ours.error == "")
  }

  @Test(
    "differs from the toolchain's only in what the manual page lists",
    .enabled(if: toolchain != nil, "the toolchain has no plutil"))
  func comparison() throws {
    let program = try #require(Self.toolchain)
    var used: Set<String> = []
    for reference in PlutilReference.compared {
      let ours = try reference.outcome(with: Plutil.program.path)
      let theirs = try reference.outcome(with: program)
      guard !ours.agrees(with: theirs) else { continue }
      let difference = PlutilReference.differences.first { $0.covers(reference.wordsAndInput) }
      #expect(difference != nil, "\(reference.testDescription): \(ours), not \(theirs)")
      if let difference { used.insert(difference.term) }
    }
    #expect(used == Set(PlutilReference.differences.map(\.term)), "no longer differs")
    #expect(PlutilReference.compared.count > 250)
  }

  @Test("the manual page lists the differences", arguments: PlutilReference.differences.map(\.term))
  func manual(term: String) throws {
    let manual = try Plutil.run(["--manual"], in: TemporaryFolder()).text
    let section = try #require(manual.components(separatedBy: ".SH DIFFERENCES FROM").last)
    let escaped = term.replacing("-", with: "\\-").replacing("'", with: "\\(aq")
    #expect(section.contains(".TP\n\\fB\(escaped)\\fR\n"))
  }
}
