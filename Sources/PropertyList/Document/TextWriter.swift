internal import FoundationEssentials

/// The output of a text writer, and its position in the value, within the limits of the options.
struct TextOutput: ~Copyable {
  let options: PlistWriteOptions
  var walk: PlistTreeWalk
  var buffer = OutputBuffer()
  var nodes: NodeCount
  private var allowance: ExpansionLimit

  init(_ root: PlistValue, options: PlistWriteOptions) {
    self.options = options
    walk = PlistTreeWalk(root, keyOrder: options.keyOrder)
    nodes = NodeCount(limits: options.limits)
    allowance = ExpansionLimit(for: root, options: options)
  }

  @inline(__always)
  mutating func checkSize() throws(PlistError.Kind) { try allowance.check(buffer.count) }

  /// Counts a container that is opened; throws if the format or the limits do not allow it.
  mutating func countContainer(
    _ container: PlistValue, in format: PlistFormat
  ) throws(PlistError.Kind) {
    try nodes.add(1)
    try checkSize()
    if container.kind == .set { throw .unrepresentableKind(.set, format) }
    try options.limits.checkDepth(walk.depth + 1)
  }
}

protocol DocumentWriter: ~Copyable {
  init(_ root: PlistValue, options: PlistWriteOptions)

  mutating func write() throws(PlistError.Kind)

  /// The path of the value that is being written, for errors.
  var keyPath: PlistKeyPath { get }

  consuming func data() -> Data
}

extension DocumentWriter where Self: ~Copyable {
  static func write(_ root: PlistValue, options: PlistWriteOptions) throws(PlistError) -> Data {
    var writer = Self(root, options: options)
    do {
      try writer.write()
    } catch {
      throw PlistError(error, keyPath: writer.keyPath)
    }
    return writer.data()
  }
}
