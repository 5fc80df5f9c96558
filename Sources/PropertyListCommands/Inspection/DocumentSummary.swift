internal import CommandLineInterface
internal import FoundationEssentials
internal import Manifests
internal import PropertyList

/// The summary of a property list that `-info` prints.
struct DocumentSummary: Sendable {
  let format: PlistFormat
  /// The name of the encoding; nil for a binary property list.
  let encoding: String?
  let size: Int
  let envelope: PlistEnvelope?
  let role: DocumentRole?
  private(set) var counts: [(kind: PlistValue.Kind, count: Int)] = []
  private(set) var keyCount = 0
  /// The number of containers around the innermost values.
  private(set) var depth = 0
  private(set) var dates: ClosedRange<Date>?
  /// The values at the top that take the most bytes in binary form, the largest first.
  private(set) var largest: [(keyPath: PlistKeyPath, size: Int)] = []
  let warnings: [PlistWarning]
  /// The installed manifest that describes the file, or why it cannot be read; nil if there is none.
  let manifest: Result<ManifestFile, CommandFailure>?
  /// The top-level keys that the manifest describes with a title or a description.
  let describedKeys: [PreferencesManifest.Key]

  private static let largestCount = 3

  /// - Parameters:
  ///   - measures: Whether the sizes of values are measured.
  ///   - manifests: The manifests that may describe the file; nil for none.
  /// - Throws: An error for a document whose shared parts expand too far.
  init(
    of input: InputDocument, from file: InputFile, measures: Bool, manifests: InstalledManifests?
  ) throws(PlistError) {
    let document = input.document
    if document.format == .binary { try document.value.checkExpansion() }
    format = document.format
    encoding = document.encodingName(in: input.contents, encoding: file.options.encoding)
    size = input.contents.count
    envelope = input.envelope
    role = DocumentRole(of: document, at: file.operand)
    warnings = document.warnings
    do throws(CommandFailure) {
      manifest = try manifests?.manifest(for: document.value, in: file).map { .success($0) }
    } catch {
      manifest = .failure(error)
    }
    if case .success(let file)? = manifest, case .dictionary(let root) = document.value {
      describedKeys = file.manifest.keys.filter { key in
        (key.title ?? key.description) != nil && key.name.map { root[$0] != nil } ?? false
      }
    } else {
      describedKeys = []
    }

    var counts: [PlistValue.Kind: Int] = [:]
    var walk = PlistTreeWalk(document.value, keyOrder: .document)
    while let event = walk.next() {
      switch event {
      case .open(let value):
        counts[value.kind, default: 0] += 1
        depth = max(depth, walk.depth + 1)
      case .leaf(let value):
        counts[value.kind, default: 0] += 1
        if case .date(let date) = value {
          dates = dates.map { min($0.lowerBound, date)...max($0.upperBound, date) } ?? date...date
        }
      case .close(.dictionary, let count): keyCount += count
      case .close: break
      }
    }
    self.counts = PlistValue.Kind.allCases.compactMap { kind in counts[kind].map { (kind, $0) } }
    if measures { measure(document.value) }
  }

  private mutating func measure(_ root: PlistValue) {
    let parts: [(key: String, value: PlistValue)] =
      switch root {
      case .dictionary(let dictionary): Array(dictionary)
      case .array(let elements): elements.enumerated().map { (String($0), $1) }
      default: []
      }
    let sizes = parts.map {
      (keyPath: PlistKeyPath(components: [$0.key]), size: $0.value.binarySize)
    }
    largest = Array(sizes.sorted { $0.size > $1.size }.prefix(Self.largestCount))
  }

  var duplicates: [PlistKeyPath] { warnings.filter { $0.kind == .duplicateKey }.map(\.keyPath) }

  /// The other warnings.
  var otherWarnings: [PlistWarning] { warnings.filter { $0.kind != .duplicateKey } }
}
