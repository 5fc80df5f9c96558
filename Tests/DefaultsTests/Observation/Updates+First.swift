import Defaults

extension Defaults.Updates where Element: Sendable {
  /// The first elements of the sequence, fewer if it ends before.
  func first(_ count: Int) async -> [Element] {
    var result: [Element] = []
    var iterator = makeAsyncIterator()
    while result.count < count, let element = await iterator.next() { result.append(element) }
    return result
  }
}
