internal import PropertyList
internal import Threading

/// A domain that lives in memory and ends with the process.
final class VolatileDomain: Sendable {
  let values: DomainValues
  private let followers = Lock<[Reference]>([])

  private struct Reference {
    weak var follower: (any VolatileDomainFollower)?
  }

  init(_ values: PlistDictionary = PlistDictionary()) {
    self.values = DomainValues(values)
  }

  /// All values.
  var all: PlistDictionary { StateLock.change { values.dictionary(in: $0) } }

  /// Makes changes known to a follower as long as that exists, before observers are notified of them.
  func add(_ follower: any VolatileDomainFollower) {
    followers.withLock { followers in
      followers.removeAll { $0.follower == nil }
      followers.append(Reference(follower: follower))
    }
  }

  /// Lets the followers prepare for changes. The result is to be called with the change.
  private func prepareFollowers(
    _ changes: @autoclosure () -> [(key: String, value: PlistValue?)]
  ) -> [VolatileDomainFollower.Preparation] {
    let followers = followers.withLock { $0.compactMap(\.follower) }
    if followers.isEmpty { return [] }
    let changes = changes()
    return followers.map { $0.prepare(for: changes) }
  }

  /// Replaces all values.
  func replaceAll(with new: PlistDictionary) {
    var delivery = Delivery()
    let preparations = prepareFollowers(
      all.map { ($0.key, nil) } + new.map { ($0.key, $0.value) })
    StateLock.change { change in
      let keys = values.dictionary(in: change).keysChanged(to: new)
      for prepared in preparations { prepared(change, &delivery) }
      values.install(
        new, changed: keys, isSuppressed: Propagation.isSuppressed, in: change, &delivery)
    }
    delivery.deliver()
  }

  /// Adds values, replacing those of the same keys.
  func merge(_ new: PlistDictionary) {
    var delivery = Delivery()
    let preparations = prepareFollowers(new.map { ($0.key, $0.value) })
    StateLock.change { change in
      for prepared in preparations { prepared(change, &delivery) }
      values.merge(new, in: change, &delivery)
    }
    delivery.deliver()
  }
}

/// A domain whose values depend on those of one in memory.
protocol VolatileDomainFollower: AnyObject, Sendable {
  typealias Preparation = (borrowing StateChange, inout Delivery) -> Void

  /// Prepares for new values, nil for those that are removed, with no lock held.
  ///
  /// - Returns: What is to be done together with the change.
  func prepare(for values: [(key: String, value: PlistValue?)]) -> Preparation
}
