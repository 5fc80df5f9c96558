/// The elements of an XML property list.
enum PlistElement: String, CaseIterable {
  case key, string, integer, dict, `true`, `false`, array, real, data, date, plist

  /// The element with the name in a range of a text; nil for any other name.
  @inline(__always)
  init?(_ text: UnsafeRawBufferPointer, _ name: Range<Int>) {
    guard name.count < 8, name.lowerBound + 8 <= text.count else {
      guard let element = Self(rawValue: String(decoding: text[name], as: UTF8.self)) else {
        return nil
      }
      self = element
      return
    }
    // The bytes of the name as a number: the first byte is the lowest, and the number of bytes is
    // the highest.
    let length = UInt64(name.count)
    let mask = (1 &<< (length &* 8)) &- 1 as UInt64
    switch text.word(at: name.lowerBound) & mask | length &<< 56 {
    case 0x030000000079656B: self = .key
    case 0x0600676E69727473: self = .string
    case 0x0772656765746E69: self = .integer
    case 0x0400000074636964: self = .dict
    case 0x0400000065757274: self = .true
    case 0x05000065736C6166: self = .false
    case 0x0500007961727261: self = .array
    case 0x040000006C616572: self = .real
    case 0x0400000061746164: self = .data
    case 0x0400000065746164: self = .date
    case 0x0500007473696C70: self = .plist
    default: return nil
    }
  }

  var holdsText: Bool {
    switch self {
    case .key, .string, .integer, .real, .data, .date: true
    case .dict, .true, .false, .array, .plist: false
    }
  }

  /// The start tag, for error texts.
  var tag: String { "<\(rawValue)>" }
}
