package import FileStorage
package import FoundationEssentials
package import PropertyList
internal import Threading

/// The store's own domain by itself, whatever other layers have: what is synchronized with other machines.
extension PreferencesStore {
  /// What tells the store's own domain from others: stores of one domain have the same.
  package var ownDomainIdentity: ObjectIdentifier { ObjectIdentifier(user) }

  /// What is known of the file of the store's own domain.
  package enum OwnFile: Sendable, Hashable {
    /// Not everything is in it, or the domain lives in memory.
    case unsaved
    /// Everything is in it, which was last changed at this time.
    case saved(Date)
    /// There is no file, and nothing to be saved to it.
    case missing
  }

  /// The state of the file of the store's own domain.
  ///
  /// - Throws: Why it cannot be read: then the domain has no values of which anything could be said.
  package func ownFile() throws(PreferencesError) -> OwnFile {
    if let problem = user.problem { throw problem }
    return StateLock.change {
      guard user.path != nil, !user.values.hasChanges else { return .unsaved }
      guard let version = user.state.version else { return .missing }
      return .saved(
        Date(timeIntervalSince1970: Double(version.identity.modified) / 1_000_000_000))
    }
  }

  /// Claims the file of the store's own domain, whose folder is made where it is missing.
  ///
  /// - Returns: Nil where somebody else has it, or the domain lives in memory.
  package func claimOwnFile() throws(PreferencesError) -> OwnershipLock? {
    guard let path = user.path else { return nil }
    do throws(FileSystemError) {
      return try DomainFile.makeFile(path).acquireOwnership()
    } catch {
      throw PreferencesError(error, path: path)
    }
  }

  /// The value of a key in the store's own domain.
  package func ownValue(forKey key: String) -> PlistValue? {
    user.value(forKey: key)
  }

  /// What the store's own domain has once it is given a value: dates have whole seconds where its file is
  /// held to XML.
  package func ownForm(of value: PlistValue) -> PlistValue {
    StateLock.change { user.state.pinnedFormat } == .xml ? value.withWholeSeconds : value
  }

  /// Whether the file of the store's own domain can hold a value of a key in the format that it is held to.
  package func canHold(_ value: PlistValue, forKey key: String) -> Bool {
    guard let format = StateLock.change({ user.state.pinnedFormat }), format != .binary else {
      return true
    }
    return (try? Plist.write([key: value], as: format)) != nil
  }

  /// Calls the closure with the key of each change of the store's own domain, also of one that another
  /// layer hides from other observers.
  ///
  /// - Parameter handler: Is called as long as what is returned is kept and not canceled.
  package func observeOwnDomain(
    _ handler: @escaping @Sendable (String) -> Void
  ) -> PreferencesObservation {
    let layer = PreferencesLayer(kind: .user, domain: domain, path: user.path)
    let list = SearchList([SearchList.Entry(layer: layer, source: .file(user))])
    let observer = Observer { handler($0.key) }
    list.add(observer, keys: nil, initial: false)
    return PreferencesObservation(list, observer, keys: nil)
  }

  /// Sets or removes a value in the store's own domain if the key still has a certain one there, in one
  /// step.
  ///
  /// - Parameter new: A value that preferences can hold.
  /// - Returns: Whether it had.
  package func replaceOwnValue(
    _ old: PlistValue?, with new: PlistValue?, forKey key: String
  ) -> Bool {
    guard user.replace(old, with: new, forKey: key) else { return false }
    if old != new { ChangeHook.shared.call(self) }
    return true
  }
}

extension DomainFile {
  /// Sets or removes a value if the key still has a certain one, and has it saved soon.
  ///
  /// - Returns: Whether it had.
  fileprivate func replace(
    _ old: PlistValue?, with new: PlistValue?, forKey key: String
  ) -> Bool {
    load()
    var delivery = Delivery()
    // What was found is released when the lock is not held.
    let (found, isReplaced, isScheduled) = StateLock.change {
      let found = values.value(forKey: key)
      guard found == old else { return (found, false, true) }
      let new = state.pinnedFormat == .xml ? new?.withWholeSeconds : new
      return (values.set(new, forKey: key, &delivery), true, state.isScheduled == Fork.count)
    }
    withExtendedLifetime(found) {}
    if !isScheduled { CommitScheduler.shared.schedule(self) }
    delivery.deliver()
    return isReplaced
  }
}

extension PlistValue {
  /// Whether preferences can hold the value.
  package var isStorable: Bool { (try? checkStorable()) != nil }
}
