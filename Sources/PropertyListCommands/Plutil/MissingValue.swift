internal import PropertyList

/// That a key path leads nowhere, with the last place on the way that there is.
struct MissingValue: Error, CustomStringConvertible {
  let description: String

  /// - Parameters:
  ///   - path: A path that leads nowhere.
  ///   - source: Where it does so.
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
