internal import Glibc

/// Strings by their UTF-8 bytes. `==` and `<` follow canonical equivalence, under which the composed
/// and the decomposed "é" are one key and one of two values is lost.
extension String {
  /// Whether both hold the same bytes.
  func hasSameBytes(as other: String) -> Bool {
    utf8.count == other.utf8.count && compareBytes(to: other) == 0
  }

  /// Whether this string's bytes come strictly before the other's.
  func precedesInBytes(_ other: String) -> Bool {
    compareBytes(to: other) < 0
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

  /// Negative, zero or positive, as the bytes come before, equal or come after the other's.
  private func compareBytes(to other: String) -> Int {
    withBytes { left in
      other.withBytes { right in
        // The same storage needs no look, however long it is.
        if left.baseAddress == right.baseAddress && left.count == right.count { return 0 }
        let shared = min(left.count, right.count)
        if shared > 0 {
          let order = memcmp(left.baseAddress!, right.baseAddress!, shared)
          if order != 0 { return Int(order) }
        }
        return left.count - right.count
      }
    }
  }

  /// Whether this string comes strictly before the other by UTF-16 code units, the order in which
  /// Apple's writers sort keys.
  ///
  /// It differs from byte order in one point: code units put the surrogates of U+10000 and above
  /// before U+E000 to U+FFFF, whose UTF-8 forms begin with EE and EF.
  func precedesInCodeUnits(_ other: String) -> Bool {
    withBytes { left in
      other.withBytes { right in
        let shared = min(left.count, right.count)
        var index = 0
        while index < shared, left[index] == right[index] { index += 1 }
        guard index < shared else { return left.count < right.count }
        return Self.codeUnitRank(left[index]) < Self.codeUnitRank(right[index])
      }
    }
  }

  private static func codeUnitRank(_ byte: UInt8) -> UInt8 {
    byte == 0xEE || byte == 0xEF ? byte + 0x10 : byte
  }
}
