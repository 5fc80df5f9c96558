internal import PropertyList

/// The error for a key path without a value, which names the nearest ancestor that exists.
struct MissingValue: Error, CustomStringConvertible {
  let description: String

  /// - Parameters:
  ///   - path: A path without a value.
  ///   - source: The input in which the path was looked up.
  init(at path: PlistKeyPath, in source: ValueSource) throws(PlistError) {
    var nearest = path
    repeat { nearest.components.removeLast() } while try source.kind(at: nearest) == nil
    let place = nearest.isRoot ? "the root" : nearest.excerpt
    let kind = try source.kind(at: nearest) ?? .dictionary
    let count = try source.count(at: nearest).map { " of \($0)" } ?? ""
    description =
      "no value at key path \(path.excerpt); the nearest is \(place), \(kind.withArticle)\(count)"
  }
}
