internal import PropertyList
internal import Threading

/// A domain in memory.
final class VolatileDomain: Sendable {
  let values: DomainValues
  /// The declared options of the command line that supply values, by key.
  let options: [String: String]
  private let followers = Lock<[Reference]>([])

  private struct Reference {
    weak var follower: (any VolatileDomainFollower)?
  }

  init(_ values: PlistDictionary = PlistDictionary(), options: [String: String] = [:]) {
    (self.values, self.options) = (DomainValues(values), options)
  }

  var all: PlistDictionary { StateLock.change { values.dictionary(in: $0) } }

  /// Notifies a follower of changes before observers are notified, as long as the follower exists.
  func add(_ follower: any VolatileDomainFollower) {
    followers.withLock { followers in
      followers.removeAll { $0.follower == nil }
      followers.append(Reference(follower: follower))
    }
  }

  func replaceAll(with new: PlistDictionary) {
    change(all.map { ($0.key, nil) } + new.map { ($0.key, $0.value) }) { change, delivery in
      let keys = values.dictionary(in: change).keysChanged(to: new)
      values.install(
        new, changed: keys, isSuppressed: Propagation.isSuppressed, in: change, &delivery)
    }
  }

  /// Adds values, replacing existing values of the same keys.
  func merge(_ new: PlistDictionary) {
    change(new.map { ($0.key, $0.value) }) { values.merge(new, in: $0, &$1) }
  }

  private func change(
    _ changes: @autoclosure () -> [(key: String, value: PlistValue?)],
    _ body: VolatileDomainFollower.Preparation
  ) {
    let followers = followers.withLock { $0.compactMap(\.follower) }
    let changes = followers.isEmpty ? [] : changes()
    let preparations = followers.map { $0.prepare(for: changes) }
    var delivery = Delivery()
    StateLock.change { change in
      for prepared in preparations { prepared(change, &delivery) }
      body(change, &delivery)
    }
    delivery.deliver()
  }
}

/// A domain whose values depend on a domain in memory.
protocol VolatileDomainFollower: AnyObject, Sendable {
  typealias Preparation = (borrowing StateChange, inout Delivery) -> Void

  /// Prepares for new values, nil for removals, with no lock held. The returned closure is called
  /// with the change.
  func prepare(for values: [(key: String, value: PlistValue?)]) -> Preparation
}
