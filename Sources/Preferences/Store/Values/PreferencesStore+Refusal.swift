internal import PropertyList
internal import Threading

/// Refused changes of a store that is read-only, checks changes, or cannot be saved.
extension PreferencesStore {
  /// Throws if the store refuses to set a value, or to remove it.
  func checkChange(ofKey key: String, to value: PlistValue?) throws(PreferencesError) {
    try checkWritable()
    if let value { try check(value, forKey: key) }
  }

  func check(_ value: PlistValue, forKey key: String) throws(PreferencesError) {
    guard let valueCheck else { return }
    do { try valueCheck(key, value) } catch {
      throw .refusedChange(domain: domain, key: key, reason: "\(error)")
    }
  }

  /// Throws if the store refuses to replace all values of its domain.
  func checkReplacement(
    of old: PlistDictionary, with new: PlistDictionary
  ) throws(PreferencesError) {
    try checkWritable()
    if valueCheck != nil {
      for key in old.keysChanged(to: new) {
        if let value = new[key] { try check(value, forKey: key) }
      }
    }
    if let reason = user.reasonToRefuse(new) {
      throw .refusedChange(domain: domain, key: nil, reason: reason)
    }
  }

  /// Reports a change that was refused, and lets the next flush throw the reason.
  ///
  /// - Parameter key: Nil for several keys.
  func refuse(_ reason: PreferencesError, ofKey key: String?) {
    attachments.withLock { $0.refusal = $0.refusal ?? reason }
    engine.post(.refusedChange(domain: domain, key: key, reason: reason))
  }

  /// The error if the store must not change a domain because of the domain's version.
  ///
  /// - Parameter stored: The version in the domain's values; nil for none.
  func migrationObstacle(to stored: PlistValue?) -> PreferencesError? {
    migration?.obstacle(to: stored, at: user.path ?? domain)
  }

  /// The error if the store must not change its own domain because of the domain's current version.
  var migrationProblem: PreferencesError? {
    if migration == nil { return nil }
    return migrationObstacle(to: user.value(forKey: PreferencesMigration.versionKey))
  }

  /// Reports the problems of a store that has just been opened. A handler may use the store.
  func reportOpening() {
    if lacksFolder { engine.post(.saveFailure(.noUserFolder)) }
    if let failure = migration?.failure { engine.post(.migrationFailure(failure)) }
  }

  package func checkWritable() throws(PreferencesError) {
    if isDeclaredReadOnly { throw .readOnly(domain) }
    if let migrationProblem { throw migrationProblem }
  }

  func checkSavable() throws(PreferencesError) {
    if lacksFolder { throw .noUserFolder }
    try checkWritable()
  }
}
