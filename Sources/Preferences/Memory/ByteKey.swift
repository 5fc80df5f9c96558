internal import PropertyList

/// A key that is compared by its bytes, for dictionaries and sets: canonically equivalent strings
/// of other bytes are other keys.
package struct ByteKey: Hashable, Sendable {
  /// The key.
  package let text: String

  /// Wraps a key.
  package init(_ text: String) { self.text = text }

  package static func == (left: ByteKey, right: ByteKey) -> Bool {
    left.text.hasSameBytes(as: right.text)
  }

  package func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}

extension [String] {
  /// The strings without those whose bytes came before.
  var uniqueByBytes: [String] {
    var seen = Set<ByteKey>()
    return filter { seen.insert(ByteKey($0)).inserted }
  }
}
