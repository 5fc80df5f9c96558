internal import CommandLineInterface
internal import FoundationEssentials
internal import PropertyList

extension Session {
  /// Prints a dictionary as JSON on a line of its own, with its keys in order.
  func print(jsonLine dictionary: PlistDictionary) {
    var options = PlistWriteOptions()
    options.keyOrder = .document
    // The dictionaries have nothing that JSON cannot represent.
    guard let data = try? Plist.write(.dictionary(dictionary), as: .json, options: options) else {
      return
    }
    print(String(decoding: data, as: UTF8.self) + "\n")
  }
}

extension PlistDictionary {
  /// Adds what tells a place: `line` and `column`, or `byte`.
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
