/// A name, key or path that is compared by its bytes, as the kernel and property lists compare
/// them: canonically equivalent strings with different bytes are different names.
package struct ByteKey: Hashable, Sendable {
  package let text: String

  package init(_ text: String) { self.text = text }

  package static func == (left: ByteKey, right: ByteKey) -> Bool {
    left.text.hasSameBytes(as: right.text)
  }

  package func hash(into hasher: inout Hasher) { text.hashBytes(into: &hasher) }
}

extension [String] {
  package var uniqueByBytes: [String] {
    var seen = Set<ByteKey>()
    return filter { seen.insert(ByteKey($0)).inserted }
  }
}
