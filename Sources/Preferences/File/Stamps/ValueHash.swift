internal import FoundationEssentials
package import PropertyList

/// A hash of a value. It is the same in every process, and for all equal values: the order of keys
/// and the width of numbers do not matter. It is never 0.
package struct ValueHash {
  private var state: UInt64 = 0

  package static func of(_ value: PlistValue) -> UInt64 {
    var known = ContainerMemo<UInt64>()
    return hash(value, &known)
  }

  /// - Parameter known: The hashes of containers, because a value may share them.
  private static func hash(_ value: PlistValue, _ known: inout ContainerMemo<UInt64>) -> UInt64 {
    if let hash = known.result(for: value) { return hash }
    var hash = ValueHash()
    hash.add(value, &known)
    let result = max(hash.state, 1)
    known.insert(result, for: value)
    return result
  }

  private mutating func add(_ value: PlistValue, _ known: inout ContainerMemo<UInt64>) {
    switch value {
    case .dictionary(let dictionary):
      add(1, UInt64(dictionary.count))
      // The sum does not depend on the order.
      add(
        dictionary.reduce(0) { sum, entry in
          var hash = ValueHash()
          hash.add(bytes: entry.key.utf8)
          hash.add(Self.hash(entry.value, &known))
          return sum &+ hash.state
        })
    case .array(let elements):
      add(2, UInt64(elements.count))
      for element in elements { add(Self.hash(element, &known)) }
    case .string(let text):
      add(3)
      add(bytes: text.utf8)
    case .integer(let number): add(4, UInt64(bitPattern: number))
    // A signed integer with the same bits is negative.
    case .unsignedInteger(let number): add(number > Int64.max ? 5 : 4, number)
    case .real(let number): addNumber(6, number)
    case .float(let number): addNumber(6, Double(number))
    case .boolean(let boolean): add(7, boolean ? 1 : 0)
    case .date(let date): addNumber(8, date.timeIntervalSinceReferenceDate)
    case .data(let data):
      add(9)
      add(bytes: data)
    case .uid(let uid): add(10, UInt64(uid))
    // Preferences never hold these.
    case .set(let elements): add(11, UInt64(elements.count))
    case .null: add(12)
    }
  }

  private mutating func add(word: UInt64) {
    withUnsafeBytes(of: word.littleEndian) { state = ByteHash.hash($0, seed: state) }
  }

  private mutating func addNumber(_ kind: UInt64, _ number: Double) {
    // Equal numbers are hashed as one of them.
    add(kind, (number.isNaN ? .nan : number == 0 ? 0 : number).bitPattern)
  }

  private mutating func add(_ words: UInt64...) {
    for word in words { add(word: word) }
  }

  private mutating func add(bytes: some Collection<UInt8>) {
    let result = bytes.withContiguousStorageIfAvailable {
      ByteHash.hash(UnsafeRawBufferPointer($0), seed: state)
    }
    if let result { state = result } else { add(bytes: Array(bytes)) }
  }
}
