internal import FoundationEssentials

/// Reads OpenStep property lists and `.strings` tables, which are dictionaries without braces.
struct OpenStepReader: TextFormatReader {
  private let options: PlistReadOptions
  var scanner: OpenStepScanner
  private(set) var builder: PlistTreeBuilder
  /// The positions at which the open containers begin, without a table, which has no bracket.
  private(set) var starts: [Int] = []

  /// Reads a whole document.
  static func read(
    _ data: Data, options: PlistReadOptions
  ) throws(PlistError) -> (PlistValue, [PlistWarning]) {
    let result = try OpenStepText(data).bytes.withUnsafeBytes { text in
      Result { () throws(PlistError) in try read(text: text, options: options) }
    }
    return try result.get()
  }

  init(_ text: UnsafeRawBufferPointer, options: PlistReadOptions) {
    self.options = options
    scanner = OpenStepScanner(text)
    builder = PlistTreeBuilder(limits: options.limits)
  }

  // MARK: The document

  mutating func read() throws(PlistError.Kind) {
    let hasComment = try scanner.skipSpace()
    if scanner.next != nil {
      try readRoot()
    } else if hasComment {
      // An empty table.
      builder.attach([:])
    } else {
      throw .empty
    }
    while builder.depth > 0 { try readNext() }
    try scanner.skipSpace()
    guard scanner.next == nil else { throw unexpected("the end of the document") }
  }

  /// Reads the root if it is a leaf, else its beginning.
  private mutating func readRoot() throws(PlistError.Kind) {
    let start = scanner.offset
    let isWord = !scanner.isAtQuote
    guard let string = try scanner.string() else {
      return try readValue(expected: "a property list")
    }
    scanner.errorOffset = start
    try scanner.skipSpace()
    if scanner.next == nil {
      try builder.add(.string(string))
      if isWord { builder.warn(.bareWord, at: .byte(start)) }
    } else if scanner.isAt("=") || scanner.isAt(";") {
      try builder.open(dictionary: true)
      try readEntry(key: string, at: start)
    } else {
      throw unexpected("=, ; or the end of the document")
    }
  }

  // MARK: Containers

  /// Reads the next leaf of the innermost container, the beginning of the next container, or the
  /// end.
  private mutating func readNext() throws(PlistError.Kind) {
    try scanner.skipSpace()
    guard builder.isInDictionary == true else {
      if scanner.skip(")") { return try close() }
      return try readValue(expected: "a value or )")
    }
    let isTable = starts.isEmpty
    if isTable ? scanner.next == nil : scanner.skip("}") { return try close() }
    let start = scanner.offset
    guard let key = try scanner.string() else { throw unexpected(isTable ? "a key" : "a key or }") }
    try readEntry(key: key, at: start)
  }

  /// Reads what follows a key; a key alone is its own value.
  private mutating func readEntry(key: String, at start: Int) throws(PlistError.Kind) {
    try builder.key(key, at: .byte(start))
    try scanner.skipSpace()
    if scanner.skip("=") {
      try scanner.skipSpace()
      try readValue(expected: "a value")
    } else if scanner.isAt(";") {
      try add(.string(key), at: start)
    } else {
      throw unexpected("= or ;")
    }
  }

  /// Reads a leaf, or the opening bracket of a container.
  private mutating func readValue(expected: String) throws(PlistError.Kind) {
    let start = scanner.offset
    if scanner.isAt("{") || scanner.isAt("(") {
      scanner.errorOffset = start
      try builder.open(dictionary: scanner.isAt("{"))
      starts.append(start)
      scanner.skip()
    } else if scanner.isAt("<") {
      let typed = options.allowsTypedValues && scanner.isAtTypedValue
      try add(typed ? try scanner.typedValue(options) : .data(try scanner.data()), at: start)
    } else if let string = try scanner.string() {
      try add(.string(string), at: start)
    } else {
      throw unexpected(expected)
    }
  }

  private mutating func add(_ value: PlistValue, at start: Int) throws(PlistError.Kind) {
    scanner.errorOffset = start
    try builder.add(value)
    try readSeparator()
  }

  private mutating func close() throws(PlistError.Kind) {
    _ = starts.popLast()
    builder.attach(builder.close())
    try readSeparator()
  }

  /// Reads the separator that must follow a value.
  private mutating func readSeparator() throws(PlistError.Kind) {
    guard let isInDictionary = builder.isInDictionary else { return }
    try scanner.skipSpace()
    if isInDictionary {
      guard scanner.skip(";") else { throw unexpected(";") }
    } else {
      guard scanner.skip(",") || scanner.isAt(")") else { throw unexpected(", or )") }
    }
  }
}
