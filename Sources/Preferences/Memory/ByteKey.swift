internal import PropertyList

/// A key of dictionaries and sets that is compared by its bytes: canonically equivalent strings
/// with other bytes are other keys.
package struct ByteKey: Hashable, Sendable {
  package let text: String

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
  var uniqueByBytes: [String] {
    var seen = Set<ByteKey>()
    return filter { seen.insert(ByteKey($0)).inserted }
  }
}
