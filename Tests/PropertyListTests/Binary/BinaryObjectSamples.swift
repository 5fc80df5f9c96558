import Foundation
import PropertyList

/// Objects that are the root of a document of their own.
enum BinaryObjectSamples {
  /// Objects that are read, with their values.
  static let valid: [([UInt8], PlistValue)] = [
    ([0x00], .null), ([0x08], false), ([0x09], true),
    ([0x10, 0xFF], 255), ([0x11, 0xFF, 0xFF], 65535),
    ([0x12, 0xFF, 0xFF, 0xFF, 0xFF], 4_294_967_295),
    ([0x13, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], -1),
    ([0x13, 0x80, 0, 0, 0, 0, 0, 0, 0], .integer(.min)),
    (
      [0x14] + Array(repeating: 0, count: 8) + Array(repeating: 0xFF, count: 8),
      .unsignedInteger(.max)
    ),
    ([0x14] + Array(repeating: 0, count: 15) + [7], 7),
    ([0x14] + Array(repeating: 0xFF, count: 16), -1),
    ([0x22, 0x3F, 0xC0, 0, 0], .float(1.5)),
    ([0x23, 0x3F, 0xF8, 0, 0, 0, 0, 0, 0], 1.5),
    ([0x23, 0x7F, 0xF8, 0, 0, 0, 0, 0, 0], .real(.nan)),
    ([0x33, 0x3F, 0xF8, 0, 0, 0, 0, 0, 0], .date(Date(timeIntervalSinceReferenceDate: 1.5))),
    ([0x40], .data(Data())), ([0x42, 1, 2], .data(Data([1, 2]))),
    ([0x4F, 0x10, 0x10] + Array(1...16), .data(Data(1...16))),
    ([0x4F, 0x13, 0, 0, 0, 0, 0, 0, 0, 1, 9], .data(Data([9]))),
    ([0x50], ""), ([0x52, 0x61, 0x62], "ab"),
    ([0x60], ""), ([0x61, 0x00, 0x61], "a"), ([0x61, 0x00, 0xE9], "é"), ([0x61, 0x20, 0xAC], "€"),
    ([0x62, 0xD8, 0x3D, 0xDE, 0x00], "😀"),
    ([0x80, 5], .uid(5)), ([0x83, 0xFF, 0xFF, 0xFF, 0xFF], .uid(.max)),
    ([0x87, 0, 0, 0, 0, 0, 0, 0, 5], .uid(5)),
    ([0x8F] + Array(repeating: 0, count: 15) + [5], .uid(5)),
    ([0xA0], []), ([0xC0], .set([])), ([0xD0], [:]),
  ]

  /// Objects that are refused, with the errors.
  static let malformed: [([UInt8], String)] = [
    ([0x01], "byte 8: the object type 0x01 is not supported"),
    ([0x0C], "byte 8: the object type 0x0c is not supported"),
    ([0x0D], "byte 8: the object type 0x0d is not supported"),
    ([0x0E], "byte 8: the object type 0x0e is not supported"),
    ([0x0F], "byte 8: the object type 0x0f is not supported"),
    ([0x15] + Array(repeating: 0, count: 32), "byte 8: the object type 0x15 is not supported"),
    ([0x20, 0], "byte 8: the object type 0x20 is not supported"),
    ([0x21, 0, 0], "byte 8: the object type 0x21 is not supported"),
    ([0x24] + Array(repeating: 0, count: 16), "byte 8: the object type 0x24 is not supported"),
    ([0x32, 0, 0, 0, 0], "byte 8: the object type 0x32 is not supported"),
    ([0x70], "byte 8: the object type 0x70 is not supported"),
    ([0x90], "byte 8: the object type 0x90 is not supported"),
    ([0xB0], "byte 8: the object type 0xb0 is not supported"),
    ([0xE0], "byte 8: the object type 0xe0 is not supported"),
    ([0xF0], "byte 8: the object type 0xf0 is not supported"),
    ([0x33, 0x7F, 0xF8, 0, 0, 0, 0, 0, 0], "byte 8: the date is NaN; expected a point in time"),
    (
      [0x14, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0],
      "byte 8: the integer is out of range; expected -2^63 to 2^64-1"
    ),
    (
      [0x14] + Array(repeating: 0xFF, count: 8) + [0x7F] + Array(repeating: 0xFF, count: 7),
      "byte 8: the integer is out of range; expected -2^63 to 2^64-1"
    ),
    ([0x84, 1, 0, 0, 0, 0], "byte 8: the UID is out of range; expected 0 to 2^32-1"),
    (
      [0x8F, 1] + Array(repeating: 0, count: 15),
      "byte 8: the UID is out of range; expected 0 to 2^32-1"
    ),
    (
      [0x61, 0xD8, 0x00],
      "byte 8: the string is malformed; expected UTF-16 without unpaired surrogates"
    ),
    (
      [0x62, 0xD8, 0x00, 0x00, 0x61],
      "byte 8: the string is malformed; expected UTF-16 without unpaired surrogates"
    ),
    (
      [0x61, 0xDC, 0x00],
      "byte 8: the string is malformed; expected UTF-16 without unpaired surrogates"
    ),
    ([0x10], "byte 8: the object extends beyond the object area"),
    ([0x13, 0, 0, 0, 0, 0, 0, 0], "byte 8: the object extends beyond the object area"),
    ([0x14, 0], "byte 8: the object extends beyond the object area"),
    ([0x22, 0, 0, 0], "byte 8: the object extends beyond the object area"),
    ([0x33, 0], "byte 8: the object extends beyond the object area"),
    ([0x42, 1], "byte 8: the object extends beyond the object area"),
    ([0x52, 0x61], "byte 8: the object extends beyond the object area"),
    ([0x61, 0x61], "byte 8: the object extends beyond the object area"),
    ([0x81, 5], "byte 8: the object extends beyond the object area"),
    ([0xA1], "byte 8: the object extends beyond the object area"),
    ([0xC1], "byte 8: the object extends beyond the object area"),
    ([0xD1, 0], "byte 8: the object extends beyond the object area"),
    ([0x5F], "byte 8: the object's length is malformed; expected an integer of 1 to 8 bytes"),
    (
      [0x5F, 0x51, 0x61],
      "byte 8: the object's length is malformed; expected an integer of 1 to 8 bytes"
    ),
    (
      [0x5F, 0x14] + Array(repeating: 0, count: 16),
      "byte 8: the object's length is malformed; expected an integer of 1 to 8 bytes"
    ),
    ([0x5F, 0x13, 0], "byte 9: the object extends beyond the object area"),
    ([0xA1, 1], "byte 9: the container refers to object 1, which does not exist (key path 0)"),
    ([0xA1, 0], "byte 8: the container contains itself (key path 0)"),
    ([0xD1, 0, 0], "byte 9: a key of the dictionary is not a string"),
  ]
}
