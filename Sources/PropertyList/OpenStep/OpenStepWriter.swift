internal import FoundationEssentials

/// Writes OpenStep property lists and `.strings` tables: a tab a level, strings in quotes where they
/// need them, data in groups of four bytes, as Apple's descriptions have it.
///
/// Of the types that OpenStep text does not have, none becomes a string unless the options say so.
struct OpenStepWriter: DocumentWriter, ~Copyable {
  private let options: PlistWriteOptions
  private var walk: PlistTreeWalk
  private var output = OutputBuffer()
  private var nodes: NodeCount

  init(_ root: PlistValue, options: PlistWriteOptions) {
    self.options = options
    walk = PlistTreeWalk(root, keyOrder: options.keyOrder)
    nodes = NodeCount(limits: options.limits)
  }

  var keyPath: PlistKeyPath { walk.keyPath }

  consuming func data() -> Data { output.data() }

  // MARK: Containers

  mutating func write() throws(PlistError.Kind) {
    while let event = walk.next() {
      switch event {
      case .open(let container):
        try startEntry()
        try open(container)
      case .leaf(let value):
        try startEntry()
        try write(leaf: value)
        endEntry()
      case .close(let kind, let count):
        close(kind, count: count)
        endEntry()
      }
    }
    if !options.writesStringsTable { output.append("\n") }
    try checkSize()
  }

  /// Whether the current value is the root of a `.strings` table, which has no braces.
  private var isTable: Bool { options.writesStringsTable && walk.depth == 0 }

  /// Whether the current value is an entry of a `.strings` table.
  private var isTableEntry: Bool { options.writesStringsTable && walk.depth == 1 }

  /// Writes what comes before a value in its container: the separator, the line break and the key.
  private mutating func startEntry() throws(PlistError.Kind) {
    guard walk.depth > 0 else { return }
    if let key = walk.key {
      if !isTableEntry { output.append("\n") }
      indent()
      try nodes.add(key: key)
      write(text: key)
      output.append(" = ")
    } else {
      output.append(walk.index > 0 ? ",\n" : "\n")
      indent()
    }
  }

  /// Writes what comes after a value in a dictionary.
  private mutating func endEntry() {
    if walk.containerKind == .dictionary { output.append(isTableEntry ? ";\n" : ";") }
  }

  private mutating func open(_ container: PlistValue) throws(PlistError.Kind) {
    try nodes.addContainer()
    try checkSize()
    if isTable {
      guard case .dictionary(let entries) = container else {
        throw .stringsRootNotDictionary(container.kind)
      }
      // A document without anything would not be read.
      if entries.isEmpty { output.append("/* no entries */\n") }
    }
    if container.kind == .set { throw .unrepresentableKind(.set, .openStep) }
    guard walk.depth < options.limits.maximumDepth else {
      throw .tooDeep(limit: options.limits.maximumDepth)
    }
    if !isTable { output.append(UInt8(ascii: container.kind == .dictionary ? "{" : "(")) }
  }

  private mutating func close(_ kind: PlistValue.Kind, count: Int) {
    if isTable { return }
    if count > 0 {
      output.append("\n")
      indent()
    }
    output.append(UInt8(ascii: kind == .dictionary ? "}" : ")"))
  }

  private mutating func indent() {
    output.append(repeating: 0x09, count: walk.depth - (options.writesStringsTable ? 1 : 0))
  }

  private func checkSize() throws(PlistError.Kind) {
    if output.count > options.limits.maximumSize {
      throw .tooLarge(limit: options.limits.maximumSize)
    }
  }

  // MARK: Leaves

  private mutating func write(leaf original: PlistValue) throws(PlistError.Kind) {
    if isTable { throw .stringsRootNotDictionary(original.kind) }
    let value =
      options.allowsLossyConversion && !options.writesTypedValues
      ? try text(inPlaceOf: original) : original
    try nodes.add(value)
    try checkSize()
    switch value {
    case .string(let string) where walk.depth == 0 && original.kind == .string:
      // A bare word could be anything.
      output.append(openStepQuoted: string, isASCII: true)
    case .string(let string):
      write(text: string)
    case .data(let data):
      write(data)
    case .integer, .unsignedInteger, .real, .float, .boolean, .date:
      guard options.writesTypedValues else { throw .unrepresentableKind(value.kind, .openStep) }
      output.append("<*")
      output.append(try typedText(of: value))
      output.append(UInt8(ascii: ">"))
    case .uid, .null:
      throw .unrepresentableKind(value.kind, .openStep)
    case .dictionary, .array, .set:
      preconditionFailure("a container as a leaf")
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
