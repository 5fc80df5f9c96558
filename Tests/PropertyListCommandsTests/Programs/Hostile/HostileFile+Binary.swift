import Foundation

extension HostileFile {
  static let binary: [HostileFile] = sharing + sizes + leaves

  /// Values that are shared, or contain themselves.
  private static let sharing: [HostileFile] = {
    /// Objects that each hold the next one as often as given, the first of them by a number.
    func chain(_ marker: UInt8, _ numbers: ClosedRange<Int>, times: Int = 1) -> [[UInt8]] {
      numbers.map { number in
        var object: [UInt8] = [marker | UInt8(times)]
        for _ in 0..<times { object += four(number) }
        return object
      }
    }
    let emptyArray: [UInt8] = [0xA0]
    let emptyText: [UInt8] = [0x50]
    let yes: [UInt8] = [0x09]
    var dictionaries: [[UInt8]] = [[0xD1] + four(1) + four(3), [0x51, 0x61], [0x51, 0x62]]
    for number in 4...26 {
      var object: [UInt8] = [0xD2] + four(1)
      object += four(2) + four(number) + four(number)
      dictionaries.append(object)
    }
    let fan: [[UInt8]] = (1...4).map { wide([$0], times: 70) }
    let empties: [[UInt8]] = Array(repeating: emptyArray, count: 100_000)
    return [
      HostileFile("a cycle", document([[0xA1] + four(1), [0xA1] + four(0)])),
      HostileFile("a bomb of shared arrays", bomb(levels: 63)),
      HostileFile("a bomb just below the limit", bomb(levels: 24)),
      HostileFile("a bomb of shared dictionaries", document(dictionaries + [yes])),
      HostileFile(
        "a bomb of shared sets", document(chain(0xC0, 1...24, times: 2) + [emptyText])),
      HostileFile("a fan of shared arrays", document(fan + [yes])),
      HostileFile(
        "deep shared arrays",
        document(chain(0xA0, 1...490) + chain(0xA0, 491...510, times: 2) + [emptyText])),
      HostileFile(
        "a long string named 100,000 times",
        document([wide([1], times: 100_000), text(count: 1_000_000)])),
      HostileFile(
        "a short string named 200,000 times",
        document([wide([1], times: 200_000), text(count: 60)])),
      HostileFile(
        "long data named 100 times", document([wide([1], times: 100), bytes(count: 1_000_000)])),
      HostileFile("equal keys", document([dictionary(of: 1, times: 100_000), [0x51, 0x61]])),
      HostileFile(
        "one long key 50,000 times",
        document([dictionary(of: 1, times: 50_000), text(count: 1_000_000)])),
      HostileFile("strings that overlap", overlapping(text(count: 1000), count: 1000)),
      HostileFile(
        "a wide array at the bottom of deep binary ones",
        document(chain(0xA0, 1...511) + [wide([512], times: 100_000), yes])),
      HostileFile("deep binary arrays", document(chain(0xA0, 1...100_000) + [emptyArray])),
      HostileFile(
        "a binary array of 100,000 arrays", document([wide(1...100_000)] + empties)),
      HostileFile("512 binary levels", document(chain(0xA0, 1...511) + [emptyArray])),
      HostileFile("513 binary levels", document(chain(0xA0, 1...512) + [emptyArray])),
    ]
  }()

  /// Counts, lengths, offsets and references beyond the file, or beyond a register.
  private static let sizes: [HostileFile] = {
    var files: [HostileFile] = []
    for number: UInt64 in [1 << 31, 1 << 32, UInt64(Int64.max), 1 << 63, .max] {
      for marker: UInt8 in [0x4F, 0x5F, 0x6F, 0xAF, 0xCF, 0xDF] {
        let object: [UInt8] = [marker, 0x13] + bigEndian(number, 8)
        files.append(
          HostileFile(
            "a count of \(number) after \(String(marker, radix: 16))", document([object])))
      }
      files.append(HostileFile("\(number) objects", document([[0x09]], objectCount: number)))
      files.append(HostileFile("the root \(number)", document([[0x09]], root: number)))
      files.append(HostileFile("a table at \(number)", document([[0x09]], tableOffset: number)))
      files.append(HostileFile("an offset of \(number)", document([[0x09]], offset: number)))
    }
    for offset: UInt64 in [0, 7, 9, 10, 40] {
      files.append(HostileFile("an offset of \(offset)", document([[0x09]], offset: offset)))
    }
    files.append(HostileFile("a reference beyond the objects", document([[0xA1] + four(7)])))
    return files
  }()

  private static let leaves: [HostileFile] = [
    HostileFile("the earliest date", document([[0x33, 0xC3, 0xE0, 0, 0, 0, 0, 0, 0]])),
    HostileFile("a date that is NaN", document([[0x33, 0x7F, 0xF8, 0, 0, 0, 0, 0, 0]])),
    HostileFile("an integer of 16 bytes", document([[0x14] + bigEndian(1, 16)])),
    HostileFile("an integer of 32 bytes", document([[0x15] + bigEndian(1, 32)])),
    HostileFile("a real of two bytes", document([[0x21, 0, 0]])),
    HostileFile("a UID of 16 bytes", document([[0x8F] + bigEndian(1, 16)])),
    HostileFile("unpaired surrogates", document([[0x62, 0xD8, 0, 0xD8, 0]])),
    HostileFile("ASCII above 127", document([[0x52, 0x80, 0xFF]])),
    HostileFile("a key that is a number", document([[0xD1] + four(1) + four(1), [0x10, 1]])),
    HostileFile("an unknown object", document([[0x70]])),
    HostileFile("nothing but a header", Data("bplist00".utf8)),
  ]

  // MARK: Parts

  private static func bigEndian(_ number: UInt64, _ size: Int) -> [UInt8] {
    (0..<size).reversed().map { $0 < 8 ? UInt8(truncatingIfNeeded: number >> (8 * $0)) : 0 }
  }

  private static func four(_ number: Int) -> [UInt8] { bigEndian(UInt64(number), 4) }

  private static func count(_ marker: UInt8, _ count: Int) -> [UInt8] {
    [marker | 0x0F, 0x12] + four(count)
  }

  private static func text(count: Int) -> [UInt8] {
    self.count(0x50, count) + repeatElement(0x61, count: count)
  }

  private static func bytes(count: Int) -> [UInt8] {
    self.count(0x40, count) + repeatElement(0x61, count: count)
  }

  private static func wide(_ objects: some Collection<Int>, times: Int = 1) -> [UInt8] {
    count(0xA0, objects.count * times)
      + repeatElement(objects.flatMap { four($0) }, count: times).joined()
  }

  private static func dictionary(of object: Int, times: Int) -> [UInt8] {
    count(0xD0, times) + repeatElement(four(object), count: 2 * times).joined()
  }

  private static func bomb(levels: Int) -> Data {
    var objects: [[UInt8]] = [[0xD1] + four(1) + four(2), [0x51, 0x61]]
    for number in 3..<levels + 3 { objects.append([0xA2] + four(number) + four(number)) }
    return document(objects + [[0x50]])
  }

  /// A document of these objects, with references and offsets of four bytes, unless one of its
  /// numbers is given.
  private static func document(
    _ objects: [[UInt8]], root: UInt64 = 0, objectCount: UInt64? = nil,
    tableOffset: UInt64? = nil, offset: UInt64? = nil
  ) -> Data {
    var bytes = Array("bplist00".utf8)
    var table: [UInt8] = []
    let offsetSize = offset == nil ? 4 : 8
    for object in objects {
      table += bigEndian(offset ?? UInt64(bytes.count), offsetSize)
      bytes += object
    }
    let end = UInt64(bytes.count)
    bytes += table + [0, 0, 0, 0, 0, 0, UInt8(offsetSize), 4]
    bytes += bigEndian(objectCount ?? UInt64(objects.count), 8) + bigEndian(root, 8)
    return Data(bytes + bigEndian(tableOffset ?? end, 8))
  }

  /// An array of objects that all have the same bytes.
  private static func overlapping(_ object: [UInt8], count: Int) -> Data {
    let list = wide(1...count)
    var bytes = Array("bplist00".utf8) + list
    let shared = bytes.count
    bytes += object
    let end = bytes.count
    bytes += four(8)
    for _ in 0..<count { bytes += four(shared) }
    bytes += [0, 0, 0, 0, 0, 0, 4, 4] as [UInt8]
    bytes += bigEndian(UInt64(count + 1), 8) + bigEndian(0, 8)
    return Data(bytes + bigEndian(UInt64(end), 8))
  }
}
