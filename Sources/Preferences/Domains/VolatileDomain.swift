internal import PropertyList

/// A domain that lives in memory and ends with the process.
final class VolatileDomain: Sendable {
  /// The defaults that were registered, which all stores of the process share.
  static let registration = VolatileDomain()

  let values: DomainValues

  init(_ values: PlistDictionary = PlistDictionary()) {
    self.values = DomainValues(values)
  }

  /// All that it holds.
  var all: PlistDictionary { StateLock.change { values.dictionary } }

  /// Puts other values in the place of all that it holds.
  func replaceAll(with new: PlistDictionary) {
    alter { delivery in
      let keys = values.dictionary.keysChanged(to: new)
      values.install(new, changed: keys, isMuted: Propagation.isMuted, &delivery)
    }
  }

  /// Adds values; those of keys that are there already are replaced.
  func merge(_ new: PlistDictionary) {
    alter { delivery in values.merge(new, &delivery) }
  }

  private func alter(_ change: (inout Delivery) -> Void) {
    var delivery = Delivery()
    StateLock.change { change(&delivery) }
    delivery.deliver()
  }
}
