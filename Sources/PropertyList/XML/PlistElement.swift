/// The elements of an XML property list.
enum PlistElement: String, CaseIterable {
  case key, string, integer, dict, `true`, `false`, array, real, data, date, plist

  /// Whether the element holds text.
  var holdsText: Bool {
    switch self {
    case .key, .string, .integer, .real, .data, .date: true
    case .dict, .true, .false, .array, .plist: false
    }
  }

  /// The start tag, for error texts.
  var tag: String { "<\(rawValue)>" }
}
