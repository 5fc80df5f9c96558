internal import FoundationEssentials

/// Writes OpenStep property lists and `.strings` tables: a tab a level, strings in quotes where they
/// need them, data in groups of four bytes, as Apple's descriptions have it.
///
/// Of the types that OpenStep text does not have, none becomes a string unless the options say so.
struct OpenStepWriter: ~Copyable {
  private let options: PlistWriteOptions
  private var output = OutputBuffer()
  private var containers: [ContainerCursor] = []
  private var nodes: NodeCount

  /// Writes a whole document.
  static func write(
    _ value: PlistValue, options: PlistWriteOptions
  ) throws(PlistError) -> Data {
    var writer = OpenStepWriter(options: options)
    do {
      try writer.write(document: value)
    } catch {
      throw PlistError(error, keyPath: PlistKeyPath(components: writer.containers.map(\.component)))
    }
    return writer.output.data()
  }

  private init(options: PlistWriteOptions) {
    self.options = options
    nodes = NodeCount(limits: options.limits)
  }

  // MARK: The document

  private mutating func write(document value: PlistValue) throws(PlistError.Kind) {
    if options.writesStringsTable {
      try openTable(value)
    } else if case .string(let string) = value {
      // A bare word could be anything.
      try nodes.add(value)
      output.append(openStepQuoted: string, isASCII: true)
    } else {
      try write(value)
    }
    while let last = containers.indices.last {
      if let next = containers[last].next() {
        try write(next, after: containers[last].index > 0)
      } else {
        close(containers.removeLast())
      }
    }
    if !options.writesStringsTable { output.append("\n") }
    try checkSize()
  }

  /// Opens the root of a table, which has no braces.
  private mutating func openTable(_ value: PlistValue) throws(PlistError.Kind) {
    guard case .dictionary(let dictionary) = value else {
      throw .stringsRootNotDictionary(value.kind)
    }
    try nodes.add(value)
    // A document without anything would not be read.
    if dictionary.isEmpty { output.append("/* no entries */\n") }
    try open(ContainerCursor(dictionary, order: options.keyOrder))
  }

  private func checkSize() throws(PlistError.Kind) {
    if output.count > options.limits.maximumSize {
      throw .tooLarge(limit: options.limits.maximumSize)
    }
  }

  // MARK: Containers

  /// Writes a value of the innermost container on a line of its own, behind what separates it from
  /// another before it.
  private mutating func write(
    _ value: PlistValue, after isLater: Bool
  ) throws(PlistError.Kind) {
    let container = containers.count - 1
    guard let key = containers[container].key else {
      output.append(isLater ? ",\n" : "\n")
      indent()
      return try write(value)
    }
    if !isTable { output.append("\n") }
    indent()
    try nodes.add(key: key)
    write(text: key)
    output.append(" = ")
    try write(value)
    // Behind a container that has been opened, the end writes it.
    if containers.count == container + 1 { endEntry() }
  }

  /// Whether the innermost container is a table.
  private var isTable: Bool { options.writesStringsTable && containers.count == 1 }

  private mutating func endEntry() {
    output.append(isTable ? ";\n" : ";")
  }

  private mutating func open(_ container: ContainerCursor) throws(PlistError.Kind) {
    guard containers.count < options.limits.maximumDepth else {
      throw .tooDeep(limit: options.limits.maximumDepth)
    }
    containers.append(container)
  }

  private mutating func close(_ container: ContainerCursor) {
    if options.writesStringsTable, containers.isEmpty { return }
    if !container.isEmpty {
      output.append("\n")
      indent()
    }
    output.append(UInt8(ascii: container.kind == .dictionary ? "}" : ")"))
    if containers.last?.kind == .dictionary { endEntry() }
  }

  private mutating func indent() {
    output.append(repeating: 0x09, count: containers.count - (options.writesStringsTable ? 1 : 0))
  }

  // MARK: Values

  /// Writes a leaf, or a container's opening bracket.
  private mutating func write(_ original: PlistValue) throws(PlistError.Kind) {
    let value =
      options.allowsLossyConversion && !options.writesTypedValues
      ? try text(inPlaceOf: original) : original
    try nodes.add(value)
    try checkSize()
    switch value {
    case .dictionary(let dictionary):
      try open(ContainerCursor(dictionary, order: options.keyOrder))
      output.append(UInt8(ascii: "{"))
    case .array(let elements):
      try open(ContainerCursor(elements))
      output.append(UInt8(ascii: "("))
    case .string(let string):
      write(text: string)
    case .data(let data):
      write(data)
    case .integer, .unsignedInteger, .real, .float, .boolean, .date:
      guard options.writesTypedValues else { throw .unrepresentableKind(value.kind, .openStep) }
      output.append("<*")
      output.append(try typedText(of: value))
      output.append(UInt8(ascii: ">"))
    case .uid, .set, .null:
      throw .unrepresentableKind(value.kind, .openStep)
    }
  }

  /// What GNUstep's typed value has between its brackets.
  private func typedText(of value: PlistValue) throws(PlistError.Kind) -> String {
    if case .boolean(let boolean) = value { return boolean ? "BY" : "BN" }
    guard case .string(let text) = try text(inPlaceOf: value) else {
      throw .unrepresentableKind(value.kind, .openStep)
    }
    switch value.kind {
    case .integer: return "I" + text
    case .real: return "R" + text
    default: return "D" + text
    }
  }

  /// The string that stands for a value under ``PlistWriteOptions/allowsLossyConversion``, or the value itself.
  private func text(inPlaceOf value: PlistValue) throws(PlistError.Kind) -> PlistValue {
    switch value {
    case .integer(let number): return .string(String(number))
    case .unsignedInteger(let number): return .string(String(number))
    case .real(let number): return .string(ScalarText.text(of: number))
    case .float(let number): return .string(ScalarText.text(of: Double(number)))
    case .boolean(let boolean): return .string(boolean ? "1" : "0")
    case .date(let date):
      let moment = try ScalarText.Moment(date, for: .openStep, options: options)
      return .string("\(moment.dayText) \(moment.timeText) +0000")
    default: return value
    }
  }

  private mutating func write(_ data: Data) {
    output.append(UInt8(ascii: "<"))
    data.withUnsafeBytes { bytes in
      for (position, byte) in bytes.enumerated() {
        if position > 0, position % 4 == 0 { output.append(UInt8(ascii: " ")) }
        output.append(hexadecimalDigit: byte >> 4)
        output.append(hexadecimalDigit: byte)
      }
    }
    output.append(UInt8(ascii: ">"))
  }

  /// Writes a string or key, in quotes where it needs them or stands in a table.
  private mutating func write(text: String) {
    if !options.writesStringsTable, text.isOpenStepWord {
      output.append(text)
    } else {
      output.append(openStepQuoted: text, isASCII: !options.writesStringsTable)
    }
  }
}

extension String {
  /// Whether the string may stand without quotes. It may not if a comment begins in it.
  fileprivate var isOpenStepWord: Bool {
    withBytes { bytes in
      var previous: UInt8 = 0
      for byte in bytes {
        let isComment = byte == UInt8(ascii: "/") && previous == byte
        guard byte.isOpenStepWord, byte != UInt8(ascii: "+"), !isComment else { return false }
        previous = byte
      }
      return bytes.count > 0
    }
  }
}
