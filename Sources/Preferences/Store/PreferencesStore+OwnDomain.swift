package import FileStorage
package import FoundationEssentials
package import PropertyList

/// The store's own domain without other layers, for synchronization with other machines.
extension PreferencesStore {
  /// The same for all stores of one domain.
  package var ownDomainIdentity: ObjectIdentifier { ObjectIdentifier(user) }

  package enum OwnFile: Sendable, Hashable {
    /// Some changes are not in the file, or the domain is in memory.
    case unsaved
    /// Everything is in the file, which was last modified at this time.
    case saved(Date)
    /// There is no file and nothing to save.
    case missing
  }

  /// - Throws: Why the file cannot be read; the domain's values are not known then.
  package func ownFile() throws(PreferencesError) -> OwnFile {
    if let problem = user.problem { throw problem }
    let (hasChanges, version) = user.fileStatus
    guard user.path != nil, !hasChanges else { return .unsaved }
    guard let version else { return .missing }
    return .saved(
      Date(timeIntervalSince1970: Double(version.identity.modified) / 1_000_000_000))
  }

  /// Reads the domain's file if another process has saved it.
  package func reloadOwnDomain() {
    var delivery = Delivery()
    user.reload(within: TimeLimit(.seconds(10), from: engine.runtime.disk.now), &delivery)
    delivery.deliver()
  }

  /// Claims the domain's file for the calling object, creating its folder if necessary.
  ///
  /// - Returns: Nil if another process or object has claimed it, or the domain is in memory.
  package func claimOwnFile() throws(PreferencesError) -> OwnershipLock? {
    try checkWritable()
    return try user.claimFile()
  }

  package func ownValue(forKey key: String) -> PlistValue? { user.value(forKey: key) }

  /// How the domain stores a value: with dates in whole seconds if its file is held to XML.
  package func ownForm(of value: PlistValue) -> PlistValue { user.storedForm(of: value) }

  /// Why the store refuses a value, or its file cannot hold it in the format that it is held to; nil
  /// if it can.
  package func obstacle(to value: PlistValue, forKey key: String) -> PreferencesError? {
    do throws(PreferencesError) { try check(value, forKey: key) } catch { return error }
    guard let format = user.pinnedFormat, format != .binary else { return nil }
    do throws(PlistError) { _ = try Plist.write([key: value], as: format) } catch {
      return .unwritable(path: domain, error)
    }
    return nil
  }

  /// Observes all keys of the store's own domain, including those that other layers hide, until the
  /// result is canceled or released.
  package func observeOwnDomain(
    _ handler: @escaping @Sendable (String) -> Void
  ) -> PreferencesObservation {
    let layer = PreferencesLayer(kind: .user, domain: domain, path: user.path)
    let list = SearchList(
      [SearchList.Entry(layer: layer, source: .file(user))], runtime: engine.runtime)
    return list.register(Observer { handler($0.key) }, keys: nil)
  }

  /// Sets or removes a value in the store's own domain atomically, if the key still has an expected
  /// value there.
  ///
  /// - Parameter new: A value that preferences can hold.
  /// - Returns: Whether the key had the expected value.
  package func replaceOwnValue(
    _ expected: PlistValue?, with new: PlistValue?, forKey key: String
  ) -> Bool {
    do throws(PreferencesError) { try checkChange(ofKey: key, to: new) } catch {
      refuse(error, ofKey: key)
      return false
    }
    guard user.replace(expected, with: new, forKey: key) else { return false }
    if expected != new { ChangeHook.shared.call(self) }
    return true
  }
}

extension PlistValue {
  package var isStorable: Bool { (try? checkStorable()) != nil }
}
