package import FileStorage
package import FoundationEssentials
package import PropertyList

/// The store's own domain without other layers, for synchronization with other machines.
extension PreferencesStore {
  /// An identity that all stores of one domain share.
  package var ownDomainIdentity: ObjectIdentifier { ObjectIdentifier(user) }

  /// Reads the domain's file if another process has saved it.
  package func reloadOwnDomain() {
    var delivery = Delivery()
    user.reload(within: TimeLimit(from: engine.runtime.disk.now), &delivery)
    delivery.deliver()
  }

  /// Claims the domain's file for the calling object, creating its folder if necessary.
  ///
  /// - Returns: Nil if another process or object has claimed it, or the domain is in memory.
  package func claimOwnFile() throws(PreferencesError) -> OwnershipLock? {
    try checkWritable()
    return try user.claimFile()
  }

  /// The saved values at one moment, and when they were saved.
  package struct StampedValues: Sendable {
    package var values: PlistDictionary
    package var stamps: Stamps
    /// When the file was last modified; nil if there is none.
    package var date: Date?

    package init(
      values: PlistDictionary = PlistDictionary(), stamps: Stamps = Stamps(), date: Date? = nil
    ) {
      (self.values, self.stamps, self.date) = (values, stamps, date)
    }
  }

  /// The saved values of the own domain, as far as they have been read.
  ///
  /// - Throws: The reason if the file cannot be read.
  package func stampedValues() throws(PreferencesError) -> StampedValues {
    if let problem = user.problem { throw problem }
    let (values, stamps, version) = StateLock.change { change in
      let state = change[user.state]
      return (user.values.dictionary(in: change), state.constraints?.stamps, state.file?.version)
    }
    let date = version.map {
      Date(timeIntervalSince1970: Double($0.identity.modified) / 1_000_000_000)
    }
    return StampedValues(values: values, stamps: stamps?.stamps ?? Stamps(), date: date)
  }

  /// Dates the changes of this process by a clock, as long as the clock exists.
  package func setStampClock(_ clock: StampClock) {
    StateLock.change { change in change[user.state].changeStamps { $0.clock = clock } }
  }

  /// Saves the changes made so far. Unlike a flush, it does not throw or reset the reasons of
  /// refused changes, which are left to the program.
  package func saveChanges() throws(PreferencesError) {
    var delivery = Delivery()
    defer { delivery.deliver() }
    let limit = TimeLimit(from: engine.runtime.disk.now)
    try user.commit(within: limit, &delivery)
  }

  /// Commits an update together with the changes made so far.
  ///
  /// - Returns: The saved values.
  @discardableResult
  package func update(_ update: StampUpdate) throws(PreferencesError) -> StampedValues {
    try checkSavable()
    let old = update.writes.map { user.value(forKey: $0.key) }
    var delivery = Delivery()
    defer { delivery.deliver() }
    let limit = TimeLimit(from: engine.runtime.disk.now)
    try user.commit(update, within: limit, &delivery)
    if old != update.writes.map({ user.value(forKey: $0.key) }) { ChangeHook.shared.call(self) }
    return try stampedValues()
  }

  package func ownValue(forKey key: String) -> PlistValue? { user.value(forKey: key) }

  /// Why the store refuses a value, or why its file cannot store it in its fixed format; nil if it
  /// can be set.
  package func obstacle(to value: PlistValue, forKey key: String) -> PreferencesError? {
    do throws(PreferencesError) { try check(value, forKey: key) } catch { return error }
    guard let format = user.pinnedFormat, format != .binary else { return nil }
    do throws(PlistError) { _ = try Plist.write([key: value], as: format) } catch {
      return .unwritable(path: domain, error)
    }
    return nil
  }

  /// Observes all keys of the store's own domain, including keys that other layers shadow, until
  /// the result is canceled or released.
  package func observeOwnDomain(
    _ handler: @escaping @Sendable (String) -> Void
  ) -> PreferencesObservation {
    let layer = PreferencesLayer(kind: .user, domain: domain, path: user.path)
    let list = SearchList(
      [SearchList.Entry(layer: layer, source: .file(user))], runtime: engine.runtime)
    return list.register(Observer { handler($0.key) }, keys: nil)
  }
}

extension PlistValue {
  package var isStorable: Bool { (try? checkStorable()) != nil }
}
