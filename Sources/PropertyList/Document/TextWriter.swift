internal import FoundationEssentials

/// The output of a text writer, and the position in the value that it writes, held to the limits of
/// the options.
struct TextOutput: ~Copyable {
  let options: PlistWriteOptions
  var walk: PlistTreeWalk
  var buffer = OutputBuffer()
  var nodes: NodeCount
  private var allowance: OutputAllowance

  init(_ root: PlistValue, options: PlistWriteOptions) {
    self.options = options
    walk = PlistTreeWalk(root, keyOrder: options.keyOrder)
    nodes = NodeCount(limits: options.limits)
    allowance = OutputAllowance(for: root, options: options)
  }

  consuming func data() -> Data { buffer.data() }

  @inline(__always)
  mutating func checkSize() throws(PlistError.Kind) { try allowance.check(buffer.count) }

  /// Counts a container that is opened; throws if the format or the limits do not allow it.
  mutating func countContainer(
    _ container: PlistValue, in format: PlistFormat
  ) throws(PlistError.Kind) {
    try nodes.addContainer()
    try checkSize()
    if container.kind == .set { throw .unrepresentableKind(.set, format) }
    try options.limits.checkDepth(walk.depth + 1)
  }
}

/// Writes a value in a text format.
struct TextWriter<Syntax: TextSyntax>: DocumentWriter, ~Copyable {
  var output: TextOutput

  init(_ root: PlistValue, options: PlistWriteOptions) {
    output = TextOutput(root, options: options)
  }

  var keyPath: PlistKeyPath { output.walk.keyPath }
  mutating func write() throws(PlistError.Kind) { try Syntax.write(&self) }
  consuming func data() -> Data { output.data() }
}

/// The syntax of a text format.
protocol TextSyntax {
  static func write(_ writer: inout TextWriter<Self>) throws(PlistError.Kind)
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
