internal import PropertyList

/// A domain that lives in memory and ends with the process.
final class VolatileDomain: Sendable {
  /// The registration domain that all stores of the process share.
  static let registration = VolatileDomain()

  let values: DomainValues

  init(_ values: PlistDictionary = PlistDictionary()) {
    self.values = DomainValues(values)
  }

  /// All values.
  var all: PlistDictionary { StateLock.change { values.dictionary(in: $0) } }

  /// Replaces all values.
  func replaceAll(with new: PlistDictionary) {
    var delivery = Delivery()
    StateLock.change { change in
      let keys = values.dictionary(in: change).keysChanged(to: new)
      values.install(
        new, changed: keys, isSuppressed: Propagation.isSuppressed, in: change, &delivery)
    }
    delivery.deliver()
  }

  /// Adds values, replacing those of the same keys.
  func merge(_ new: PlistDictionary) {
    var delivery = Delivery()
    StateLock.change { values.merge(new, in: $0, &delivery) }
    delivery.deliver()
  }
}
