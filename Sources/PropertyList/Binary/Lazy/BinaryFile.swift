/// The objects of a binary property list in a file.
struct BinaryFile: BinaryStructure {
  let bytes: FilePages
  let trailer: BinaryTrailer

  /// Opens a file and checks its trailer.
  init(path: String, limits: PlistLimits) throws(PlistError) {
    bytes = try FilePages(path: path)
    try Plist.checkSize(bytes.count, limits)
    trailer = try BinaryTrailer(bytes)
  }

  /// The sort of an object, by its first byte; nil for one of fixed length.
  func kind(of object: Int) throws(PlistError) -> PlistValue.Kind? {
    switch try bytes.byte(at: try checkedOffset(of: object)) >> 4 {
    case 0x4: .data
    case 0x5, 0x6: .string
    case 0xA: .array
    case 0xC: .set
    case 0xD: .dictionary
    default: nil
    }
  }

  /// How many elements an array or set has.
  func elementCount(of object: Int) throws(PlistError) -> Int {
    try contents(at: try checkedOffset(of: object), bytesEach: trailer.referenceSize).count
  }

  /// The number of the object to which one part of a key path leads; nil where there is none.
  func find(_ component: String, below object: Int) throws(PlistError) -> Int? {
    switch try kind(of: object) {
    case .dictionary:
      return try find(component, in: object)
    case .array:
      let offset = try checkedOffset(of: object)
      let elements = try contents(at: offset, bytesEach: trailer.referenceSize)
      guard let index = PlistValue.index(component), index < elements.count else { return nil }
      return try reference(index, from: elements.start)
    default:
      return nil
    }
  }
}
