internal import Glibc

/// Strings by their UTF-8 bytes. `==` and `<` follow canonical equivalence, under which the composed
/// and the decomposed "é" are one key and one of two values is lost.
extension String {
  /// A copy of bytes that are known to be ASCII.
  @inline(__always)
  init(ascii bytes: UnsafeRawBufferPointer) {
    let text = Span<UInt8>(_bytes: bytes.bytes)
    self.init(copying: UTF8Span(unchecked: text, isKnownASCII: true))
  }

  /// A copy of bytes that are known to be valid UTF-8.
  @inline(__always)
  init(utf8 bytes: UnsafeRawBufferPointer) {
    let text = Span<UInt8>(_bytes: bytes.bytes)
    self.init(copying: UTF8Span(unchecked: text, isKnownASCII: false))
  }

  /// A copy of UTF-8, in which malformed sequences become U+FFFD.
  @inline(__always)
  init(decodingUTF8 bytes: UnsafeRawBufferPointer) {
    if bytes.isASCII {
      self.init(ascii: bytes)
    } else {
      self.init(decoding: bytes, as: UTF8.self)
    }
  }

  /// Whether both hold the same bytes.
  package func hasSameBytes(as other: String) -> Bool {
    utf8.count == other.utf8.count
      && withBytes { left in
        other.withBytes { right in
          // The same storage needs no look, however long it is.
          left.count == 0 || left.baseAddress == right.baseAddress
            || memcmp(left.baseAddress!, right.baseAddress!, left.count) == 0
        }
      }
  }

  /// Whether this string's bytes come strictly before the other's.
  func precedesInBytes(_ other: String) -> Bool {
    orders(before: other).contains(.bytes)
  }

  /// Whether this string comes strictly before the other by UTF-16 code units, the order in which
  /// Apple's writers sort keys.
  func precedesInCodeUnits(_ other: String) -> Bool {
    orders(before: other).contains(.codeUnits)
  }

  /// The orders in which keys are compared.
  struct Orders: OptionSet, Sendable {
    let rawValue: UInt8

    /// By the bytes of UTF-8.
    static let bytes = Orders(rawValue: 1)
    /// By the code units of UTF-16. It differs from byte order in one point: code units put the
    /// surrogates of U+10000 and above before U+E000 to U+FFFF, whose UTF-8 forms begin with EE and
    /// EF.
    static let codeUnits = Orders(rawValue: 2)
  }

  /// The orders in which this string comes strictly before the other.
  @inline(__always)
  func orders(before other: String) -> Orders {
    withBytes { left in
      other.withBytes { right in
        let shared = min(left.count, right.count)
        let position = Self.firstDifference(left, right, within: shared)
        guard position < shared else {
          return left.count < right.count ? [.bytes, .codeUnits] : []
        }
        let (one, two) = (left[position], right[position])
        var orders: Orders = one < two ? .bytes : []
        if Self.codeUnitRank(one) < Self.codeUnitRank(two) { orders.insert(.codeUnits) }
        return orders
      }
    }
  }

  /// The first eight bytes as a number, missing ones as zero: where it is less than another's, this
  /// string comes first by code units.
  var codeUnitPrefix: UInt64 {
    withBytes { bytes in
      var prefix: UInt64 = 0
      for position in 0..<8 {
        let byte = position < bytes.count ? Self.codeUnitRank(bytes[position]) : 0
        prefix = prefix << 8 | UInt64(byte)
      }
      return prefix
    }
  }

  /// Feeds the bytes to a hasher.
  func hashBytes(into hasher: inout Hasher) {
    withBytes { bytes in
      hasher.combine(bytes.count)
      hasher.combine(bytes: bytes)
    }
  }

  /// Calls the closure with the UTF-8 bytes, which live as long as the call.
  @inline(__always)
  func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    if let result = utf8.withContiguousStorageIfAvailable({ body(UnsafeRawBufferPointer($0)) }) {
      return result
    }
    return Array(utf8).withUnsafeBytes(body)
  }

  /// The first position in which the bytes differ, or `count` where there is none before it.
  @inline(__always)
  private static func firstDifference(
    _ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer, within count: Int
  ) -> Int {
    if left.baseAddress == right.baseAddress { return count }
    var position = 0
    while position + 8 <= count {
      let difference =
        left.loadUnaligned(fromByteOffset: position, as: UInt64.self)
        ^ right.loadUnaligned(fromByteOffset: position, as: UInt64.self)
      if difference != 0 {
        return position + UInt64(littleEndian: difference).trailingZeroBitCount / 8
      }
      position += 8
    }
    while position < count, left[position] == right[position] { position += 1 }
    return position
  }

  @inline(__always)
  private static func codeUnitRank(_ byte: UInt8) -> UInt8 {
    byte == 0xEE || byte == 0xEF ? byte + 0x10 : byte
  }
}
