internal import PropertyList

/// The objects of a keyed archive as they are met on the way from the top: each once.
struct ArchiveGraph {
  let archive: ArchivedObjects
  private var visited: Set<UInt32> = []
  /// The objects that are too deep where they were met first, and are yet to be shown.
  private var deferred: [UInt32] = []
  /// The number of deferred objects that have been shown.
  private var shownCount = 0
  /// The objects that have been deferred at any time.
  private var isDeferred: Set<UInt32> = []
  private let referenceCounts: [UInt32: Int]

  init(_ archive: ArchivedObjects) {
    self.archive = archive
    referenceCounts = archive.referenceCounts
  }

  /// The number of levels below which objects are deferred, so that a list of objects in which each
  /// refers to the next does not become as many levels.
  static let maximumDepth = 64

  /// How a value of the archive is shown at one of its places.
  enum Step {
    case value(PlistValue)
    case text(className: String, String)
    case missing(UInt32)
    /// An object that is shown here.
    case object(ArchivedObjects.Object)
    /// An object that is shown elsewhere.
    case reference(ArchivedObjects.Object)
  }

  /// Returns how a value is shown at its next place.
  mutating func visit(_ value: PlistValue, depth: Int) -> Step {
    switch archive.node(for: value) {
    case .value(let value): return .value(value)
    case .text(let className, let text): return .text(className: className, text)
    case .missing(let number): return .missing(number)
    case .container(let container): return .object(container)
    case .object(let object):
      guard !visited.contains(object.number) else { return .reference(object) }
      guard depth <= Self.maximumDepth else {
        if isDeferred.insert(object.number).inserted { deferred.append(object.number) }
        return .reference(object)
      }
      visited.insert(object.number)
      return .object(object)
    }
  }

  /// Whether an object is referred to from several places, or shown apart from where it belongs.
  func isShared(_ object: ArchivedObjects.Object) -> Bool {
    object.number > 0
      && (referenceCounts[object.number, default: 0] > 1 || isDeferred.contains(object.number))
  }

  /// Returns the next object to be shown at the end; nil if none is left.
  mutating func nextDeferred() -> UInt32? {
    while shownCount < deferred.count {
      shownCount += 1
      let number = deferred[shownCount - 1]
      if !visited.contains(number) { return number }
    }
    return nil
  }
}
