internal import FoundationEssentials

/// Reads OpenStep property lists and `.strings` tables, which are dictionaries without braces.
///
/// Containers are read with the stack of ``PlistTreeBuilder``. Places are byte offsets until the
/// end: lines and columns are counted only for an error and for warnings.
struct OpenStepReader {
  private let options: PlistReadOptions
  private var scanner: OpenStepScanner
  private var builder: PlistTreeBuilder
  /// Where the open containers begin; a table, which has no bracket, is not among them.
  private var starts: [Int] = []

  /// Reads a whole document.
  static func read(
    _ data: Data, options: PlistReadOptions
  ) throws(PlistError) -> (PlistValue, [PlistWarning]) {
    let result = try OpenStepText(data).bytes.withUnsafeBytes { text in
      Result { () throws(PlistError) in try read(text, options: options) }
    }
    return try result.get()
  }

  private static func read(
    _ text: UnsafeRawBufferPointer, options: PlistReadOptions
  ) throws(PlistError) -> (PlistValue, [PlistWarning]) {
    var reader = OpenStepReader(text, options: options)
    do {
      let root = try reader.readDocument()
      return (root, TextCursor.locate(reader.builder.warnings, in: text))
    } catch {
      throw PlistError(
        error, at: reader.scanner.place.map { TextCursor.location(of: $0, in: text) },
        keyPath: reader.builder.keyPath)
    }
  }

  private init(_ text: UnsafeRawBufferPointer, options: PlistReadOptions) {
    self.options = options
    scanner = OpenStepScanner(text)
    builder = PlistTreeBuilder(limits: options.limits)
  }

  // MARK: The document

  private mutating func readDocument() throws(PlistError.Kind) -> PlistValue {
    let hasComment = try scanner.skipSpace()
    if scanner.next == nil {
      guard hasComment else { throw .empty }
      return [:]
    }
    try readRoot()
    while builder.depth > 0 { try readNext() }
    try scanner.skipSpace()
    guard scanner.next == nil else { throw unexpected("the end of the document") }
    guard let root = builder.root else { preconditionFailure("a document without a root") }
    return root
  }

  /// Reads the outermost value if that is a leaf, else its beginning.
  private mutating func readRoot() throws(PlistError.Kind) {
    let start = scanner.offset
    let isWord = !scanner.isAtQuote
    guard let string = try scanner.string() else {
      return try readValue(expected: "a property list")
    }
    scanner.place = start
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

  /// Reads on in the innermost container up to the next value or container.
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

  /// Reads what stands behind a key; a key alone is its own value.
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
      scanner.place = start
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
    scanner.place = start
    try builder.add(value)
    try readSeparator()
  }

  private mutating func close() throws(PlistError.Kind) {
    _ = starts.popLast()
    builder.attach(builder.close())
    try readSeparator()
  }

  /// Reads what has to stand behind a value.
  private mutating func readSeparator() throws(PlistError.Kind) {
    guard let isInDictionary = builder.isInDictionary else { return }
    try scanner.skipSpace()
    if isInDictionary {
      guard scanner.skip(";") else { throw unexpected(";") }
    } else {
      guard scanner.skip(",") || scanner.isAt(")") else { throw unexpected(", or )") }
    }
  }

  /// The error of what comes next; at the end, that is the container that nothing closes.
  private mutating func unexpected(_ expected: String) -> PlistError.Kind {
    if scanner.next == nil, let start = starts.last {
      scanner.place = start
      return .unterminated(builder.isInDictionary == true ? "the dictionary" : "the array")
    }
    return scanner.unexpected(expected)
  }
}
