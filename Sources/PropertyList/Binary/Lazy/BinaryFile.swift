/// The objects of a binary property list in a file.
struct BinaryFile: BinaryObjectTable {
  let bytes: PagedFile
  let trailer: BinaryTrailer

  /// Opens a file and validates its trailer.
  init(path: String, limits: PlistLimits) throws(PlistError) {
    bytes = try PagedFile(path: path)
    try Plist.checkSize(bytes.count, limits)
    trailer = try BinaryTrailer(bytes)
  }

  /// Returns the kind of an object by its marker, or nil for a scalar.
  func kind(of object: Int) throws(PlistError) -> PlistValue.Kind? {
    let marker = try bytes.byte(at: try checkedOffset(of: object))
    if BinaryMarker.isString(marker) { return .string }
    if BinaryMarker.type(of: marker) == BinaryMarker.data { return .data }
    return BinaryMarker.containerKind(marker)
  }

  /// Returns the number of elements of an array or set.
  func elementCount(of object: Int) throws(PlistError) -> Int {
    try payload(at: try checkedOffset(of: object)).count
  }

  /// Returns the number of the object that a component of a key path leads to, or nil if there is
  /// none.
  func child(_ component: String, of object: Int) throws(PlistError) -> Int? {
    switch try kind(of: object) {
    case .dictionary:
      return try self.object(forKey: component, in: object)
    case .array:
      let elements = try payload(at: try checkedOffset(of: object))
      guard let index = PlistValue.index(component), index < elements.count else { return nil }
      return try reference(index, from: elements.start)
    default:
      return nil
    }
  }
}
