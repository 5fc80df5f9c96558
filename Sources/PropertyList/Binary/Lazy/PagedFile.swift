internal import Glibc

/// The bytes of an open file, read by pages, of which those used last are kept.
///
/// It is for one thread at a time.
final class FilePages: BinarySource {
  /// The bytes of a page.
  static let pageSize = 4096
  private static let rowCount = 16
  private static let pagesPerRow = 4

  /// A page that is kept: its number, or -1, and where its bytes are in the memory.
  private struct Slot {
    var number: Int
    let place: Int
  }

  let count: Int
  private let descriptor: Int32
  private var state: FileState
  /// Rows of slots, each with the page used last in front. A page belongs to the row that its number
  /// says, and there drives out the one not used for longest; pages that are needed in turn so leave each
  /// other alone.
  private let slots: UnsafeMutableBufferPointer<Slot>
  /// The bytes of the pages, with a few before them so that eight can be loaded up to any place.
  private let memory: UnsafeMutableRawPointer
  /// How many bytes were read from the file so far.
  private(set) var bytesRead = 0

  /// Opens a regular file, never to be inherited by another program.
  init(path: String) throws(PlistError) {
    // A pipe would keep the call waiting otherwise.
    descriptor = try Self.repeated(.open) { open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
    var information = stat()
    var failure: PlistError?
    if fstat(descriptor, &information) != 0 {
      failure = PlistError(.inaccessible(.examine, code: errno))
    } else if information.st_mode & S_IFMT != S_IFREG {
      failure = PlistError(.notRegularFile)
    }
    if let failure {
      close(descriptor)
      throw failure
    }
    count = Int(information.st_size)
    state = FileState(information)
    slots = .allocate(capacity: Self.rowCount * Self.pagesPerRow)
    for slot in slots.indices {
      slots.initializeElement(at: slot, to: Slot(number: -1, place: 8 + slot * Self.pageSize))
    }
    memory = .allocate(byteCount: 8 + slots.count * Self.pageSize, alignment: 8)
    memory.initializeMemory(as: UInt8.self, repeating: 0, count: 8)
  }

  deinit {
    close(descriptor)
    memory.deallocate()
    slots.deallocate()
  }

  /// Refuses a file that is not as it was when it was opened.
  func checkUnchanged() throws(PlistError) {
    var information = stat()
    guard fstat(descriptor, &information) == 0 else {
      throw PlistError(.inaccessible(.examine, code: errno))
    }
    let present = FileState(information)
    if state.differs(from: present) { throw PlistError(.fileChanged) }
    state = present
  }

  // MARK: Bytes

  @inline(__always)
  func byte(at offset: Int) throws(PlistError) -> UInt8 {
    precondition(offset >= 0 && offset < count, "a byte outside the document")
    return try page(of: offset)
      .load(fromByteOffset: offset & (Self.pageSize - 1), as: UInt8.self)
  }

  @inline(__always)
  func integer(at offset: Int, size: Int) throws(PlistError) -> UInt64? {
    precondition(
      offset >= 0 && size > 0 && offset <= count - size, "a number outside the document")
    let start = offset & (Self.pageSize - 1)
    if start + size <= Self.pageSize, size <= 8 {
      let end = try page(of: offset) + (start + size)
      let lastEight = UInt64(bigEndian: (end - 8).loadUnaligned(as: UInt64.self))
      return lastEight & (.max &>> UInt64(truncatingIfNeeded: 64 - 8 * size))
    }
    var number: UInt64 = 0
    for position in offset..<offset + size {
      if number >> 56 != 0 { return nil }
      number = number << 8 | UInt64(try byte(at: position))
    }
    return number
  }

  func hasBytes(_ bytes: [UInt8], at offset: Int) throws(PlistError) -> Bool {
    var position = 0
    while position < bytes.count {
      let piece = try piece(of: offset + position..<offset + bytes.count)
      let isEqual = bytes.withUnsafeBytes {
        memcmp($0.baseAddress! + position, piece.baseAddress!, piece.count) == 0
      }
      guard isEqual else { return false }
      position += piece.count
    }
    return true
  }

  /// Appends bytes of the file to a buffer.
  func append(_ range: Range<Int>, to output: inout OutputBuffer) throws(PlistError) {
    var rest = range
    while !rest.isEmpty {
      let piece = try piece(of: rest)
      output.append(piece)
      rest = rest.lowerBound + piece.count..<rest.upperBound
    }
  }

  /// The first bytes of a range, as far as they are in one page; they are there until the next look at the
  /// file.
  private func piece(of range: Range<Int>) throws(PlistError) -> UnsafeRawBufferPointer {
    precondition(range.lowerBound >= 0 && range.upperBound <= count, "bytes outside the document")
    let start = range.lowerBound & (Self.pageSize - 1)
    return UnsafeRawBufferPointer(
      start: try page(of: range.lowerBound) + start,
      count: min(range.count, Self.pageSize - start))
  }

  // MARK: Pages

  /// The page with the byte at an offset.
  @inline(__always)
  private func page(of offset: Int) throws(PlistError) -> UnsafeRawPointer {
    let number = offset >> Self.pageSize.trailingZeroBitCount
    let row = (number & (Self.rowCount - 1)) * Self.pagesPerRow
    if slots[row].number != number { try bringForward(number, in: row) }
    return UnsafeRawPointer(memory + slots[row].place)
  }

  /// Puts a page in front of its row, reading it where it is not there.
  @inline(never)
  private func bringForward(_ number: Int, in row: Int) throws(PlistError) {
    let last = row + Self.pagesPerRow - 1
    let slot = (row..<last).first { slots[$0].number == number } ?? last
    var page = slots[slot]
    if page.number != number {
      slots[slot].number = -1
      let start = number * Self.pageSize
      try read(start..<min(start + Self.pageSize, count), into: memory + page.place)
      page.number = number
    }
    for other in (row..<slot).reversed() { slots[other + 1] = slots[other] }
    slots[row] = page
  }

  /// Reads a part of the file, which has to be there.
  private func read(
    _ range: Range<Int>, into memory: UnsafeMutableRawPointer
  ) throws(PlistError) {
    var done = 0
    while done < range.count {
      let received = try Self.repeated(.read) {
        pread(descriptor, memory + done, range.count - done, off_t(range.lowerBound + done))
      }
      guard received > 0 else { throw PlistError(.fileChanged) }
      done += received
    }
    bytesRead += done
  }

  /// Does a system call until no signal interrupts it.
  private static func repeated<Number: SignedInteger>(
    _ operation: PlistError.FileOperation, _ call: () -> Number
  ) throws(PlistError) -> Number {
    while true {
      let result = call()
      if result >= 0 { return result }
      guard errno == EINTR else { throw PlistError(.inaccessible(operation, code: errno)) }
    }
  }
}
