internal import FoundationEssentials
internal import Glibc

/// The bytes of a document that is being written, growing as they come.
struct OutputBuffer: ~Copyable {
  private var base: UnsafeMutableRawPointer
  private var capacity: Int
  /// How many bytes have been written.
  private(set) var count = 0

  init() {
    capacity = 4096
    base = Self.reallocate(nil, capacity)
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

  @inline(__always)
  mutating func append(_ byte: UInt8) {
    if count == capacity { grow(by: 1) }
    base.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
    count += 1
  }

  mutating func append(_ bytes: UnsafeRawBufferPointer) {
    guard let start = bytes.baseAddress else { return }
    if capacity - count < bytes.count { grow(by: bytes.count) }
    (base + count).copyMemory(from: start, byteCount: bytes.count)
    count += bytes.count
  }

  mutating func append(_ text: StaticString) {
    append(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  mutating func append(_ text: String) {
    text.withBytes { bytes in append(bytes) }
  }

  mutating func append(_ data: Data) {
    data.withUnsafeBytes { bytes in append(bytes) }
  }

  mutating func append(repeating byte: UInt8, count: Int) {
    for _ in 0..<count { append(byte) }
  }

  /// Appends the low bytes of a number, the highest first.
  mutating func append(bigEndian number: UInt64, size: Int) {
    for shift in stride(from: (size - 1) * 8, through: 0, by: -8) {
      append(shift < 64 ? UInt8(truncatingIfNeeded: number >> UInt64(shift)) : 0)
    }
  }

  private mutating func grow(by additional: Int) {
    capacity = max(capacity * 2, count + additional)
    base = Self.reallocate(base, capacity)
  }

  private static func reallocate(
    _ base: UnsafeMutableRawPointer?, _ capacity: Int
  ) -> UnsafeMutableRawPointer {
    // As for the standard library's collections, there is no going on without memory.
    guard let base = realloc(base, capacity) else { fatalError("out of memory") }
    return base
  }
}
