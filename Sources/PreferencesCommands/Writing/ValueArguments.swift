internal import CommandLineInterface
internal import FoundationEssentials
internal import Manifests
internal import PropertyList

/// Parses the words after the key of `write`: a value, optionally preceded by its type.
struct ValueArguments {
  private var rest: ArraySlice<String>

  /// The change that the words describe.
  ///
  /// - Parameter description: The description of the key in a manifest, which determines the type
  ///   if the words do not; nil if there is none.
  static func parse(
    _ words: ArraySlice<String>, _ description: PreferencesManifest.Key? = nil
  ) throws(CommandFailure) -> WrittenValue {
    var arguments = ValueArguments(rest: words)
    let change = try arguments.change(description)
    if let word = arguments.rest.first {
      throw CommandFailure("Unexpected argument \(word); leaving defaults unchanged.")
    }
    return change
  }

  private mutating func change(
    _ description: PreferencesManifest.Key?
  ) throws(CommandFailure) -> WrittenValue {
    guard let type = rest.first, Self.compositeTypes.contains(type) else {
      guard let description, let word = rest.first, !Self.scalarTypes.contains(word) else {
        return .set(try scalar())
      }
      rest.removeFirst()
      return .set(try Self.untyped(word, description))
    }
    rest.removeFirst()
    let isArray = type.hasPrefix("-array")
    var value: PlistValue = isArray ? .array(try elements()) : .dictionary(try entries())
    if let description { value = description.typed(value) }
    switch value {
    case .array(let elements) where type == "-array-add": return .append(elements)
    case .dictionary(let entries) where type == "-dict-add": return .merge(entries)
    default: return .set(value)
    }
  }

  /// The words that name the type of the words after them.
  static let typeWords = scalarTypes + compositeTypes

  private static let scalarTypes = [
    "-string", "-data", "-int", "-integer", "-float", "-bool", "-boolean", "-date",
  ]
  private static let compositeTypes = ["-array", "-array-add", "-dict", "-dict-add"]

  /// The words that may follow other words after a key, except for free text.
  static func completions(after words: ArraySlice<String>) -> [String] {
    var rest = words
    let isWithin = rest.first.map(compositeTypes.contains) ?? false
    if isWithin { rest.removeFirst() }
    while let word = rest.popFirst() {
      guard scalarTypes.contains(word) else { continue }
      if rest.popFirst() == nil {
        return word.hasPrefix("-bool") ? PlistValue.booleanWords.map(\.0) : []
      }
    }
    if isWithin { return scalarTypes }
    return words.isEmpty ? typeWords : []
  }

  private mutating func elements() throws(CommandFailure) -> [PlistValue] {
    var elements: [PlistValue] = []
    while !rest.isEmpty { elements.append(try scalar()) }
    return elements
  }

  private mutating func entries() throws(CommandFailure) -> PlistDictionary {
    var entries = PlistDictionary()
    while !rest.isEmpty {
      let key = try key()
      guard !rest.isEmpty else { throw CommandFailure("Key \(key) lacks a corresponding value") }
      entries[key] = try scalar()
    }
    return entries
  }

  /// Takes a key, which is parsed like any other value.
  private mutating func key() throws(CommandFailure) -> String {
    let words = rest
    guard case .string(let key) = try scalar() else {
      let taken = words.prefix(words.count - rest.count).joined(separator: " ")
      throw CommandFailure(
        "Dictionary keys must be strings, not \(taken); leaving defaults unchanged.")
    }
    return key
  }

  /// Takes a value that is not a container of further words.
  private mutating func scalar() throws(CommandFailure) -> PlistValue {
    guard let word = rest.popFirst() else { preconditionFailure("a value of no words") }
    switch word {
    case _ where Self.scalarTypes.contains(word):
      guard let text = rest.popFirst() else {
        throw CommandFailure("\(word) needs a value; leaving defaults unchanged.")
      }
      return try Self.value(of: text, type: word)
    case _ where Self.compositeTypes.contains(word):
      throw CommandFailure("Cannot nest composite types (arrays and dictionaries); exiting")
    default:
      return try Self.untyped(word)
    }
  }

  private static func value(
    of text: String, type: String
  ) throws(CommandFailure) -> PlistValue {
    do throws(PlistError.Kind) {
      switch type {
      case "-string": return .string(text)
      case "-int", "-integer": return try PlistValue(integerText: text)
      case "-float": return try PlistValue(realText: text)
      case "-date": return try PlistValue(dateText: text)
      case "-data":
        if let data = PlistValue(hexadecimalText: text) { return data }
        throw .unexpectedText(expected: "pairs of hexadecimal digits")
      default: return try PlistValue(booleanText: text)
      }
    } catch {
      throw CommandFailure("\(type) \(text): \(error); leaving defaults unchanged.")
    }
  }

  /// A value without a type, of a described key. If the key is described as a string, the text is
  /// one, even if it would otherwise be a property list of another type.
  private static func untyped(
    _ text: String, _ description: PreferencesManifest.Key
  ) throws(CommandFailure) -> PlistValue {
    guard description.type == .string || description.type == .url else {
      return description.typed(try untyped(text))
    }
    if let value = try? untyped(text), value.kind == .string { return value }
    return .string(text)
  }

  /// A value without a type: a property list if the text contains any of its delimiters, otherwise
  /// a string.
  static func untyped(_ text: String) throws(CommandFailure) -> PlistValue {
    guard text.utf8.contains(where: { "\"()[]{}<>".utf8.contains($0) }) else {
      return .string(text)
    }
    do throws(PlistError) {
      return try Plist.read(Data(text.utf8)).value
    } catch {
      throw CommandFailure("Could not parse: \(text).  Try single-quoting it.")
    }
  }
}

/// The change of a key's value by `write`.
enum WrittenValue {
  case set(PlistValue)
  case append([PlistValue])
  case merge(PlistDictionary)

  func apply(to values: inout PlistDictionary, key: String) throws(CommandFailure) {
    switch self {
    case .set(let value):
      values[key] = value
    case .append(let elements):
      switch values[key] {
      case nil: values[key] = .array(elements)
      case .array(let old)?: values[key] = .array(old + elements)
      default: throw Self.failure(key, "an array")
      }
    case .merge(let entries):
      switch values[key] {
      case nil: values[key] = .dictionary(entries)
      case .dictionary(var dictionary)?:
        for (key, value) in entries { dictionary[key] = value }
        values[key] = .dictionary(dictionary)
      default: throw Self.failure(key, "a dictionary")
      }
    }
  }

  private static func failure(_ key: String, _ expected: String) -> CommandFailure {
    CommandFailure(
      "Value for key \(key) is not \(expected); cannot append.  Leaving defaults unchanged.")
  }
}
