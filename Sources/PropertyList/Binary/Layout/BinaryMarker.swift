/// The marker byte that begins every object of a binary property list: the type in the upper four
/// bits and, for most types, a size or a length in the lower four.
enum BinaryMarker {
  /// A date, of any range: the seconds since 2001 as a double that is a number.
  static var date: UInt8 { 0x33 }
  static var data: UInt8 { 0x40 }
  static var asciiString: UInt8 { 0x50 }
  static var utf16String: UInt8 { 0x60 }
  static var uid: UInt8 { 0x80 }
  static var array: UInt8 { 0xA0 }
  static var set: UInt8 { 0xC0 }
  static var dictionary: UInt8 { 0xD0 }

  /// The length that says that the actual length follows as an integer object.
  static var extendedLength: UInt8 { 0x0F }

  @inline(__always)
  static func type(of marker: UInt8) -> UInt8 { marker & 0xF0 }

  @inline(__always)
  static func isString(_ marker: UInt8) -> Bool {
    type(of: marker) == asciiString || type(of: marker) == utf16String
  }

  @inline(__always)
  static func containerKind(_ marker: UInt8) -> PlistValue.Kind? {
    switch type(of: marker) {
    case array: .array
    case set: .set
    case dictionary: .dictionary
    default: nil
    }
  }

  /// The number of bytes after the marker of a scalar, which is any object other than a container,
  /// a string or data; zero for types that are not supported.
  @inline(__always)
  static func scalarSize(_ marker: UInt8) -> Int {
    switch (marker >> 4, marker & 0x0F) {
    case (0x1, let exponent) where exponent <= 4: 1 << Int(exponent)
    case (0x2, let exponent) where 2...3 ~= exponent: 1 << Int(exponent)
    case _ where marker == date: 8
    case (0x8, let length): Int(length) + 1
    default: 0
    }
  }
}
