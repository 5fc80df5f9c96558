/// Finds the property list that a linker has put into a Mach-O file, in the section `__info_plist`
/// of the segment `__TEXT`: of either byte order and word size, or for several processors (fat).
struct MachOFile {
  private let bytes: UnsafeRawBufferPointer

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  private static let segmentCommand = 0x1
  private static let segmentCommand64 = 0x19

  /// Returns the place of the property list and the name of the processor; in a file for several
  /// processors, the first processor's.
  ///
  /// - Throws: An error for a damaged file, or a file without a property list.
  func informationPropertyList() throws(PlistError) -> (Range<Int>, architecture: String) {
    for slice in try slices() {
      if let found = try section(in: slice) { return found }
    }
    throw PlistError(.emptyEnvelope(.machO))
  }

  /// The parts of the file that are for one processor each.
  private func slices() throws(PlistError) -> [Range<Int>] {
    let whole = 0..<bytes.count
    let magic = try number(at: 0, size: 4, in: whole)
    let is64Bit = magic == 0xCAFE_BABF
    guard magic == 0xCAFE_BABE || is64Bit else { return [whole] }
    let count = try number(at: 4, size: 4, in: whole)
    // This is enough to distinguish a fat file from a Java class.
    guard count < 40 else { throw malformed(at: 4) }
    var slices: [Range<Int>] = []
    for index in 0..<count {
      let entry = 8 + index * (is64Bit ? 32 : 20)
      let size = is64Bit ? 8 : 4
      let offset = try number(at: entry + 8, size: size, in: whole)
      let length = try number(at: entry + 8 + size, size: size, in: whole)
      slices.append(try range(offset, length, in: whole))
    }
    return slices
  }

  /// The place of the section in a part of the file; nil if there is none.
  private func section(
    in slice: Range<Int>
  ) throws(PlistError) -> (Range<Int>, architecture: String)? {
    let magic = try number(at: 0, size: 4, in: slice)
    let isBigEndian = magic == 0xFEED_FACE || magic == 0xFEED_FACF
    guard isBigEndian || magic == 0xCEFA_EDFE || magic == 0xCFFA_EDFE else {
      throw malformed(at: slice.lowerBound)
    }
    func field(_ position: Int, size: Int = 4) throws(PlistError) -> Int {
      try number(at: position, size: size, in: slice, isBigEndian: isBigEndian)
    }
    let is64Bit = magic == 0xFEED_FACF || magic == 0xCFFA_EDFE
    let commandCount = try field(16)
    var position = is64Bit ? 32 : 28
    for _ in 0..<commandCount {
      let command = try field(position)
      let size = try field(position + 4)
      guard size >= 8, size <= slice.count - position else {
        throw malformed(at: slice.lowerBound + position)
      }
      if command == (is64Bit ? Self.segmentCommand64 : Self.segmentCommand) {
        let countPosition = position + (is64Bit ? 64 : 48)
        let sectionCount = try field(countPosition)
        let sectionSize = is64Bit ? 80 : 68
        let first = countPosition + 8
        guard sectionCount <= max(0, position + size - first) / sectionSize else {
          throw malformed(at: slice.lowerBound + countPosition)
        }
        for index in 0..<sectionCount {
          let section = first + index * sectionSize
          guard hasName("__info_plist", at: section, in: slice),
            hasName("__TEXT", at: section + 16, in: slice)
          else { continue }
          let length = try field(section + (is64Bit ? 40 : 36), size: is64Bit ? 8 : 4)
          let offset = try field(section + (is64Bit ? 48 : 40))
          return (try range(offset, length, in: slice), Self.architecture(try field(4)))
        }
      }
      position += size
    }
    return nil
  }

  private func malformed(at offset: Int) -> PlistError {
    PlistError(.malformedEnvelope(.machO), at: .byte(min(max(offset, 0), bytes.count)))
  }

  /// Reads a number at a position within a part of the file.
  private func number(
    at position: Int, size: Int, in slice: Range<Int>, isBigEndian: Bool = true
  ) throws(PlistError) -> Int {
    guard position >= 0, position <= slice.count - size else {
      throw malformed(at: slice.lowerBound)
    }
    let start = slice.lowerBound + position
    var number: UInt64 = 0
    for index in 0..<size {
      let byte = UInt64(bytes[start + (isBigEndian ? index : size - 1 - index)])
      number = number << 8 | byte
    }
    guard let number = Int(exactly: number) else { throw malformed(at: start) }
    return number
  }

  private func range(
    _ offset: Int, _ length: Int, in slice: Range<Int>
  ) throws(PlistError) -> Range<Int> {
    guard offset <= slice.count, length <= slice.count - offset else {
      throw malformed(at: slice.lowerBound)
    }
    let start = slice.lowerBound + offset
    return start..<start + length
  }

  /// Whether a field of 16 bytes has a name, which zeros follow.
  private func hasName(_ name: StaticString, at position: Int, in slice: Range<Int>) -> Bool {
    guard position <= slice.count - 16 else { return false }
    let field = bytes[slice.lowerBound + position..<slice.lowerBound + position + 16]
    return name.withUTF8Buffer { name in
      field.starts(with: name) && field.dropFirst(name.count).allSatisfy { $0 == 0 }
    }
  }

  private static func architecture(_ type: Int) -> String {
    switch type {
    case 7: "i386"
    case 0x0100_0007: "x86_64"
    case 12: "arm"
    case 0x0100_000C: "arm64"
    case 0x0200_000C: "arm64_32"
    case 18: "ppc"
    case 0x0100_0012: "ppc64"
    default: "processor type \(type)"
    }
  }
}
