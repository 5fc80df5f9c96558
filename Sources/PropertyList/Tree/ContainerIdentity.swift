/// The location in memory of the values of a container that is not empty. Equal identities mean
/// equal containers, without a comparison of the values, as long as these are in memory.
struct ContainerIdentity: Hashable {
  private let address: UnsafeRawPointer
  private let count: Int
  private let isSet: Bool
  /// The keys of a dictionary.
  private let shape: ObjectIdentifier?

  /// Nil for leaves and empty containers.
  @inline(__always)
  init?(_ value: PlistValue) {
    switch value {
    case .dictionary(let dictionary): self.init(dictionary)
    case .array(let elements): self.init(elements, isSet: false)
    case .set(let elements): self.init(elements, isSet: true)
    default: return nil
    }
  }

  @inline(__always)
  init?(_ dictionary: PlistDictionary) {
    self.init(
      dictionary.contents, isSet: false, shape: ObjectIdentifier(dictionary.shape))
  }

  @inline(__always)
  init?(_ values: [PlistValue], isSet: Bool, shape: ObjectIdentifier? = nil) {
    let start = values.withUnsafeBufferPointer { $0.baseAddress }
    guard !values.isEmpty, let start else { return nil }
    address = UnsafeRawPointer(start)
    count = values.count
    self.isSet = isSet
    self.shape = shape
  }

  /// A hash that takes a few instructions.
  @inline(__always)
  var hash32: UInt32 {
    withUnsafeBytes(of: address) { ByteHash.hash32($0) }
  }
}
