/// The results of a function of containers, by which a value that shares its parts is traversed in
/// a time that depends on what it has in memory, not on how often the parts occur.
///
/// The value must stay in memory while it is used.
package struct ContainerMemo<Result> {
  private var results: [ContainerIdentity: Result] = [:]
  private var count = 0

  /// The number of containers that are traversed before results are kept: most values have fewer,
  /// and need none.
  static var freeCount: Int { 4096 }

  package init() {}

  /// Returns the result for a container; nil if it is not known.
  package func result(for container: PlistValue) -> Result? {
    if results.isEmpty { return nil }
    return ContainerIdentity(container).flatMap { results[$0] }
  }

  /// Keeps the result for a container.
  package mutating func insert(_ result: Result, for container: PlistValue) {
    guard let identity = ContainerIdentity(container) else { return }
    count += 1
    if count > Self.freeCount { results[identity] = result }
  }
}
