internal import CommandLineInterface
internal import FoundationEssentials
internal import PropertyList

extension Session {
  func print(jsonLine dictionary: PlistDictionary) {
    var options = PlistWriteOptions()
    options.keyOrder = .document
    // JSON can represent all values in the dictionaries.
    guard let data = try? Plist.write(.dictionary(dictionary), as: .json, options: options) else {
      return
    }
    print(String(decoding: data, as: UTF8.self) + "\n")
  }
}

extension PlistDictionary {
  /// Adds the entries of a place: `line` and `column`, or `byte`.
  mutating func add(_ location: PlistError.Location?) {
    switch location {
    case .line(let line, let column)?:
      self["line"] = .integer(Int64(line))
      self["column"] = .integer(Int64(column))
    case .byte(let offset)?: self["byte"] = .integer(Int64(offset))
    case nil: break
    }
  }
}
