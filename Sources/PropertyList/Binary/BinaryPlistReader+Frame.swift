extension BinaryPlistReader {
  /// A container whose values are being read.
  struct Frame {
    let object: Int
    let kind: PlistValue.Kind
    /// The offset of the references to the values.
    let references: Int
    let count: Int
    /// The keys of a dictionary; nil for other containers and during validation.
    var keys: KeyList?
    /// The index of the value to be read next.
    var index = 0
    var values: [PlistValue] = []
    var extent = Extent(nodes: 1, height: 1)

    /// The key of the value to be read next.
    var key: String? { keys?.key(at: index) }

    /// The container of the values that have been read.
    var value: PlistValue {
      switch kind {
      case .dictionary: .dictionary(keys.map { PlistDictionary($0.shape, values) } ?? [:])
      case .array: .array(values)
      default: .set(values)
      }
    }
  }

  /// The size of a container with every reference counted, shared or not.
  struct Extent {
    var nodes: Int
    /// The number of nested containers down to the deepest value.
    var height: Int
  }

  /// A value that later references to its object share.
  struct CachedValue {
    let value: PlistValue
    let extent: Extent
  }

  /// The state of an object, in 32 bits because a file may have very many objects.
  struct ObjectState: Equatable {
    private let number: Int32

    static let unread = ObjectState(number: 0)
    /// A container that is being read: another reference to it closes a cycle.
    static let open = ObjectState(number: -1)
    /// A short string or data that has been read once. Most objects are referenced once, so the
    /// value is cached only when a second reference is met.
    static let readOnce = ObjectState(number: -2)

    /// An object whose value is cached.
    static func cached(at index: Int) -> ObjectState { ObjectState(number: Int32(index + 1)) }

    /// The index of the cached value, or nil if there is none.
    var cacheIndex: Int? { number > 0 ? Int(number) - 1 : nil }
  }
}
