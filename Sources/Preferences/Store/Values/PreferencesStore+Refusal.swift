internal import Threading

/// Refused changes, of a store that is read-only or cannot be saved.
extension PreferencesStore {
  /// Whether the store is read-only. The change is then reported.
  ///
  /// - Parameter key: Nil for all keys.
  func refusesChange(ofKey key: String?) -> Bool {
    // Checked first: every change comes here, and read-only stores are rare.
    guard isReadOnly else { return false }
    attachments.withLock { $0.hasRefusedChange = true }
    engine.post(.refusedChange(domain: domain, key: key))
    return true
  }

  func checkWritable() throws(PreferencesError) {
    if isReadOnly { throw .readOnly(domain) }
  }

  func checkSavable() throws(PreferencesError) {
    if lacksFolder { throw .noUserFolder }
    try checkWritable()
  }

  /// Throws if changes have been refused since the last call, or if there is no folder to save them
  /// to.
  func checkNothingRefused() throws(PreferencesError) {
    if lacksFolder { throw .noUserFolder }
    guard isReadOnly else { return }
    let hasRefused = attachments.withLock { exchange(&$0.hasRefusedChange, with: false) }
    if hasRefused { throw .readOnly(domain) }
  }
}
