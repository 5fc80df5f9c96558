internal import FoundationEssentials
internal import Glibc

/// The bytes of a document that is being written, growing as they come.
struct OutputBuffer: ~Copyable {
  private var base: UnsafeMutableRawPointer
  private var capacity: Int
  /// How many bytes have been written.
  private(set) var count = 0

  init(capacity: Int = 4096) {
    self.capacity = capacity + Self.slack
    base = Self.reallocate(nil, self.capacity)
  }

  deinit {
    free(base)
  }

  /// The bytes, which are handed over and not copied; the buffer ends with this call.
  consuming func data() -> Data {
    let data = Data(
      bytesNoCopy: Self.reallocate(base, max(count, 1)), count: count, deallocator: .free)
    discard self
    return data
  }

  /// The bytes so far, which are there until the next change.
  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: base, count: count) }

  /// Takes back all bytes but the first ones.
  mutating func truncate(to count: Int) {
    precondition(0...self.count ~= count)
    self.count = count
  }

  @inline(__always)
  mutating func append(_ byte: UInt8) {
    makeRoom(for: 1)
    base.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
    count += 1
  }

  @inline(__always)
  mutating func append(_ bytes: UnsafeRawBufferPointer) {
    guard let start = bytes.baseAddress else { return }
    makeRoom(for: bytes.count)
    (base + count).copyMemory(from: start, byteCount: bytes.count)
    count += bytes.count
  }

  /// Appends bytes that are in the buffer already once more.
  mutating func appendAgain(_ range: Range<Int>) {
    precondition(range.lowerBound >= 0 && range.upperBound <= count)
    makeRoom(for: range.count)
    (base + count).copyMemory(from: base + range.lowerBound, byteCount: range.count)
    count += range.count
  }

  /// Appends bytes from a position on, up to the first that is marked.
  ///
  /// - Parameter marks: Gives the highest bit of the lowest marked byte of a word, with perhaps others
  ///   above it; zeros are marked.
  /// - Returns: The position of the marked byte, or the end.
  @inline(__always)
  mutating func append(
    _ bytes: UnsafeRawBufferPointer, from start: Int, upTo marks: (UInt64) -> UInt64
  ) -> Int {
    makeRoom(for: bytes.count - start + 8)
    var position = start
    // What is stored behind the bytes that count is overwritten.
    while position + 8 <= bytes.count {
      let word = bytes.word(at: position)
      base.storeBytes(
        of: word.littleEndian, toByteOffset: count + position - start, as: UInt64.self)
      let found = marks(word)
      if found != 0 {
        position += found.trailingZeroBitCount / 8
        count += position - start
        return position
      }
      position += 8
    }
    let rest = bytes.count - position
    if rest > 0 {
      let word = bytes.lastWord(of: rest)
      base.storeBytes(
        of: word.littleEndian, toByteOffset: count + position - start, as: UInt64.self)
      position += min(marks(word).trailingZeroBitCount / 8, rest)
    }
    count += position - start
    return position
  }

  @inline(__always)
  mutating func append(_ text: StaticString) {
    append(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// Disfavored, because a literal would otherwise be a string and not the constant that it is.
  @_disfavoredOverload
  mutating func append(_ text: String) {
    text.withBytes { bytes in append(bytes) }
  }

  mutating func append(_ data: Data) {
    data.withUnsafeBytes { bytes in append(bytes) }
  }

  @inline(__always)
  mutating func append(repeating byte: UInt8, count: Int) {
    if count <= 8 {
      append(littleEndian: UInt64(byte) &* 0x0101_0101_0101_0101, size: count)
    } else {
      makeRoom(for: count)
      memset(base + self.count, Int32(byte), count)
      self.count += count
    }
  }

  /// Appends the low bytes of a number, the lowest first: up to eight.
  @inline(__always)
  mutating func append(littleEndian number: UInt64, size: Int) {
    makeRoom(for: 8)
    // What is stored behind the bytes that count is overwritten.
    base.storeBytes(of: number.littleEndian, toByteOffset: count, as: UInt64.self)
    count += size
  }

  /// Appends the low bytes of a number, the highest first: up to eight, or sixteen.
  @inline(__always)
  mutating func append(bigEndian number: UInt64, size: Int) {
    makeRoom(for: 16)
    if size > 8 {
      precondition(size == 16)
      base.storeBytes(of: 0, toByteOffset: count, as: UInt64.self)
      count += 8
    }
    // The bytes that count come first, and what is stored behind them is overwritten.
    let significant = min(size, 8)
    let shifted = number << UInt64(64 - 8 * significant)
    base.storeBytes(of: shifted.bigEndian, toByteOffset: count, as: UInt64.self)
    count += significant
  }

  /// Appends the bytes of a number, the lowest first.
  @inline(__always)
  mutating func append(fourBytes number: UInt32) {
    makeRoom(for: 4)
    base.storeBytes(of: number.littleEndian, toByteOffset: count, as: UInt32.self)
    count += 4
  }

  /// Appends the lowest three bytes of a number, the highest first.
  @inline(__always)
  mutating func append(threeBytes number: UInt32) {
    makeRoom(for: 4)
    base.storeBytes(of: (number << 8).bigEndian, toByteOffset: count, as: UInt32.self)
    count += 3
  }

  /// Appends a number in decimal digits.
  mutating func append(decimal number: UInt64) {
    makeRoom(for: Self.longestNumber)
    var rest = number
    var length = 0
    repeat {
      length += 1
      let digit = UInt8(truncatingIfNeeded: rest % 10) + UInt8(ascii: "0")
      base.storeBytes(
        of: digit, toByteOffset: count + Self.longestNumber - length, as: UInt8.self)
      rest /= 10
    } while rest > 0
    memmove(base + count, base + count + Self.longestNumber - length, length)
    count += length
  }

  /// The digits of 2^64-1.
  private static let longestNumber = 20

  @inline(__always)
  private mutating func makeRoom(for additional: Int) {
    if capacity - count < additional { grow(by: additional) }
  }

  @inline(never)
  private mutating func grow(by additional: Int) {
    capacity = max(capacity * 2, count + additional)
    base = Self.reallocate(base, capacity)
  }

  /// Room that ``append(bigEndian:size:)`` may need beyond the bytes that it appends.
  private static let slack = 16

  private static func reallocate(
    _ base: UnsafeMutableRawPointer?, _ capacity: Int
  ) -> UnsafeMutableRawPointer {
    // As for the standard library's collections, there is no going on without memory.
    guard let base = realloc(base, capacity) else { fatalError("out of memory") }
    return base
  }
}
