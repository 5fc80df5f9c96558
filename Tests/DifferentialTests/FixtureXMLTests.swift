import Foundation
import PropertyList
import TestSupport
import Testing

/// The XML of the fixtures, by the toolchain's plutil and by us.
@Suite("Fixtures as XML")
struct FixtureXMLTests {
  /// The folder Fixtures of the package, as copied beside the tests.
  private static let root = Bundle.module.bundleURL.appending(path: "Fixtures")

  /// The paths within Fixtures of the well-formed documents in XML and binary.
  private static let paths = ["xml", "binary"].flatMap { folder -> [String] in
    let names = try? FileManager.default.contentsOfDirectory(
      atPath: root.appending(path: folder).path)
    return (names ?? []).sorted().map { "\(folder)/\($0)" }
  }

  @Test("The tables of differences name fixtures that there are")
  func noStaleRows() {
    let rows =
      Array(FixtureDifference.all.keys) + FixtureDifference.refusedByPlutil.keys
      + FixtureDifference.refusedByUs
    #expect(Set(rows).subtracting(Self.paths).sorted() == [])
    #expect(Set(rows).intersection(Self.paths).count >= 20)
  }

  @Test(
    "The XML of the toolchain's plutil is ours, byte for byte, but for the differences in the table",
    arguments: paths)
  func sameBytes(path: String) throws {
    let file = Self.root.appending(path: path)
    let value = try Plist.read(try Data(contentsOf: file)).value
    let ours = try? Plist.write(value, as: .xml)
    #expect((ours == nil) == FixtureDifference.refusedByUs.contains(path))

    let run = try Peer.plutil.get().run(["-convert", "xml1", "-o", "-", file.path])
    if let refusal = FixtureDifference.refusedByPlutil[path] {
      let text = run.status > 128 ? "signal \(run.status - 128)" : run.error
      #expect(run.status != 0 && text.contains(refusal), "\(text)")
    } else {
      #expect(run.status == 0, "\(run.error)")
    }
    guard run.status == 0, let ours else { return }

    var expected = ours
    for difference in FixtureDifference.all[path] ?? [] {
      let changed = expected.applying(difference)
      #expect(changed != expected, "there is no difference of \(difference)")
      expected = changed
    }
    let difference = run.output.difference(from: expected)
    #expect(difference == nil)
  }
}

extension Data {
  /// Our XML with one difference made.
  fileprivate func applying(_ difference: FixtureDifference) -> Data {
    switch difference {
    case .digits: withAllDigitsOfReals
    case .negativeZeros: replacing("<real>-0.0</real>", with: "<real>0.0</real>")
    case .carriageReturns: replacing("&#13;", with: "\r")
    case .text(let ours, let theirs): replacing(ours, with: theirs)
    }
  }

  private func replacing(_ old: String, with new: String) -> Data {
    var result = self
    var start = result.startIndex
    while let range = result.range(of: Data(old.utf8), in: start..<result.endIndex) {
      result.replaceSubrange(range, with: Data(new.utf8))
      start = range.lowerBound + new.utf8.count
    }
    return result
  }
}
