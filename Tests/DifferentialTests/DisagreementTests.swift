import Foundation
import FuzzTargets
import PropertyList
import TestSupport
import Testing

/// Values that a peer does not preserve, or that we do not write.
@Suite("Disagreements")
struct DisagreementTests {
  @Test(
    "A value on which programs disagree becomes what the table says",
    arguments: TestScale.share(of: Disagreement.all, one: 3))
  func outcomes(of disagreement: Disagreement) throws {
    let value = disagreement.value
    let plistlib = try plistlibOutcomes(of: value)
    for route in Disagreement.Route.allCases {
      let outcome =
        switch route {
        case .xmlToPlistlib, .binaryToPlistlib, .plistlibToXML, .plistlibToBinary: plistlib[route]
        case .xmlToLint: try plutilLints(value, as: .xml)
        case .binaryToLint: try plutilLints(value, as: .binary)
        case .xmlToBinary: try plutilConverts(value, from: .xml, to: .binary)
        case .binaryToXML: try plutilConverts(value, from: .binary, to: .xml)
        }
      #expect(outcome == disagreement.outcome(on: route), "\(route)")
    }
  }

  /// The outcomes on the routes from and to plistlib, with one run for each direction.
  private func plistlibOutcomes(
    of value: PlistValue
  ) throws -> [Disagreement.Route: Outcome] {
    var outcomes: [Disagreement.Route: Outcome] = [:]
    let ours = try TemporaryFolder()
    for (route, format) in [
      (Disagreement.Route.xmlToPlistlib, PlistFormat.xml), (.binaryToPlistlib, .binary),
    ] {
      outcomes[route] = try write(value, as: format, to: ours.url("value.\(format)"))
    }
    try Plistlib.read(ours)
    for (route, format) in [
      (Disagreement.Route.xmlToPlistlib, PlistFormat.xml), (.binaryToPlistlib, .binary),
    ] where outcomes[route] == nil {
      let text = try TypedText(contentsOf: ours.url("value.\(format).typed"))
      let isSame = text == TypedText(value)
      outcomes[route] = text.error.map { .theirError($0) } ?? (isSame ? .same : .becomes(text))
    }

    let theirs = try TemporaryFolder()
    try TypedText(value).data.write(to: theirs.url("value.typed"))
    try Plistlib.write(theirs)
    for (route, format) in [
      (Disagreement.Route.plistlibToXML, PlistFormat.xml), (.plistlibToBinary, .binary),
    ] {
      let file = theirs.url("value.\(format)")
      let error = try TypedText(contentsOf: file).error
      outcomes[route] = try error.map { .theirError($0) } ?? read(file, original: value)
    }
    return outcomes
  }

  private func plutilLints(_ value: PlistValue, as format: PlistFormat) throws -> Outcome {
    let folder = try TemporaryFolder()
    let file = folder.url("value.\(format)")
    if let refusal = try write(value, as: format, to: file) { return refusal }
    let run = try Peer.plutil.get().run(["-lint", file.path])
    let isFine = run.status == 0 && run.output == Data("\(file.path): OK\n".utf8)
    return isFine ? .same : .theirError(message(of: run, on: file))
  }

  private func plutilConverts(
    _ value: PlistValue, from source: PlistFormat, to target: PlistFormat
  ) throws -> Outcome {
    let folder = try TemporaryFolder()
    let file = folder.url("value.\(source)")
    if let refusal = try write(value, as: source, to: file) { return refusal }
    let run = try Peer.plutil.get().run(["-convert", "\(target)1", "-s", file.path])
    guard run.status == 0 else { return .theirError(message(of: run, on: file)) }
    return try read(file, original: value)
  }

  // MARK: Files

  /// Writes a document, and returns the outcome if that fails.
  private func write(
    _ value: PlistValue, as format: PlistFormat, to file: URL
  ) throws -> Outcome? {
    do {
      try Plist.write(value, as: format).write(to: file)
      return nil
    } catch let error as PlistError {
      return .ourError("\(error)")
    }
  }

  private func read(_ file: URL, original: PlistValue) throws -> Outcome {
    do {
      let text = TypedText(try Plist.read(try Data(contentsOf: file)).value)
      return text == TypedText(original) ? .same : .becomes(text)
    } catch let error as PlistError {
      return .ourError("\(error)")
    }
  }

  /// The message of a failed run without the name of the file.
  private func message(of run: BuiltProgram.Run, on file: URL) -> String {
    if run.status > 128 { return "signal \(run.status - 128)" }
    let text = String(decoding: run.output, as: UTF8.self) + run.error
    return text.replacing("\(file.path): ", with: "").trimmingCharacters(in: .newlines)
  }
}
