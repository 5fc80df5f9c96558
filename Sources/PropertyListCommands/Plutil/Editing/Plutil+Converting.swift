internal import CommandLineInterface
internal import FoundationEssentials
internal import Manifests
internal import PropertyList

/// The verbs that write property lists or source code.
extension Plutil {
  /// `-convert`
  static func convert(_ invocation: Invocation, in session: Session) throws(UsageError) {
    let format = try Output.Format(invocation.arguments[0], among: Output.Format.documentNames)
    let isTyped = invocation.has(.typed)
    for var output in try Output.all(of: invocation, format: format, default: .inPlace) {
      output.input.prefersJSON = isTyped
      output.transform(silent: invocation.has(.silent), in: session) {
        [output] (document, data: consuming Data) in
        _ = consume data
        guard isTyped else { return try output.contents(of: document.value) }
        var value = document.value
        // Each occurrence of a shared value is visited.
        if document.format == .binary { try value.checkExpansion() }
        if document.format == .json { value = try TypedJSON.decode(value) }
        if format == .propertyList(.json) { value = TypedJSON.encode(value) }
        return try output.contents(of: value)
      }
    }
  }

  /// `-create`
  static func create(_ invocation: Invocation, in session: Session) throws(UsageError) {
    let format = try Output.Format(invocation.arguments[0], among: Output.Format.documentNames)
    let outputs = try Output.all(of: invocation, format: format, default: .created)
    guard let manifests = try ManifestLibrary(of: invocation, in: session) else { return }
    for output in outputs where output.checkIsFree(in: session) {
      let contents = session.reporting(about: output.input.name) {
        try newContents(of: output, manifests)
      }
      if let contents { output.write(contents, in: session) }
    }
  }

  /// An empty dictionary, or the template of the manifest for a file.
  private static func newContents(
    of output: Output, _ manifests: ManifestLibrary
  ) throws -> Output.Contents {
    guard !manifests.isEmpty else { return try output.contents(of: [:]) }
    guard let entry = manifests.manifest(for: output.input, isNamed: true) else {
      throw CommandFailure("there is no manifest for this domain")
    }
    let template = ManifestTemplate(of: entry.manifest)
    guard output.format == .propertyList(.xml) else {
      return try output.contents(of: template.value)
    }
    return Output.Contents(data: try template.xml(options: output.options))
  }
}
