internal import CLinuxFile
internal import PropertyList
internal import Threading

/// The preferences of the application, and of suites that it shares with others.
extension PreferencesStore {
  private struct Application {
    var identifier: String?
    var store: PreferencesStore?
  }

  private static let application = Lock(Application())

  /// The preferences of the application; within ``withStandard(_:operation:)``, the store
  /// that stands in for them.
  ///
  /// Where the user has no folder for them (``PreferencesError/noUserFolder``), they are in memory
  /// only, which is told as a ``PreferencesEvent/saveFailure(_:)``, on standard error where nobody
  /// handles events.
  public static var standard: PreferencesStore {
    standIn ?? applicationStore
  }

  /// Whether a store is the application's, as far as that is known without opening it.
  static func isApplicationStore(_ store: PreferencesStore) -> Bool {
    application.withLock { $0.store === store }
  }

  /// The preferences of the application, whichever store stands in for them.
  private static var applicationStore: PreferencesStore {
    while true {
      let known = application.withLock { $0 }
      if let store = known.store { return store }
      let identifier = known.identifier ?? processName
      // Opened without the lock: the file system may not answer.
      let store = PreferencesStore(application: identifier)
      let isCurrent = application.withLock { application in
        guard application.store == nil, application.identifier == known.identifier else {
          return false
        }
        application.store = store
        return true
      }
      guard isCurrent else { continue }
      // The store exists by now: a handler may use it.
      if store.lacksFolder { store.engine.post(.saveFailure(.noUserFolder)) }
      return store
    }
  }

  /// Sets the name of the application's domain, which is the name of the process by default.
  ///
  /// It must be called before ``standard`` is first used, outside of
  /// ``withStandard(_:operation:)``.
  ///
  /// - Throws: ``PreferencesError/invalidDomainName(_:)``, or
  ///   ``PreferencesError/lateApplication(_:used:)`` if the preferences are used under another name
  ///   already, which is a programming error; nothing has changed then.
  public static func setApplication(identifier: String) throws(PreferencesError) {
    try DomainName.check(identifier)
    let used = application.withLock { application -> String? in
      if let used = application.store?.domain, !used.hasSameBytes(as: identifier) { return used }
      application.identifier = identifier
      return nil
    }
    if let used { throw .lateApplication(identifier, used: used) }
  }

  /// Saves the values of ``standard`` and creates it anew at its next use, without the suites that
  /// were added. A store that stands in for it is saved and stays.
  public static func resetStandardUserDefaults() {
    if let standIn {
      standIn.synchronize()
      return
    }
    let store = application.withLock { application in
      defer { application.store = nil }
      return application.store
    }
    store?.synchronize()
  }

  /// Opens the preferences of a suite, a domain that several applications share; nil opens the
  /// application's own domain.
  ///
  /// The result is nil for the name of the application's domain or the global domain, which have
  /// other entry points, and for a name that is not valid.
  public convenience init?(suiteName: String?) {
    let application = Self.application.withLock { $0.identifier } ?? Self.processName
    guard suiteName?.hasSameBytes(as: application) != true, suiteName != DomainName.global else {
      return nil
    }
    do {
      try self.init(domain: suiteName ?? application)
    } catch {
      return nil
    }
  }

  /// Opens the application's own domain, as ``init(suiteName:)`` does for nil; in memory where there
  /// is no folder for it, as ``standard`` does.
  public convenience init() {
    self.init(application: Self.application.withLock { $0.identifier } ?? Self.processName)
    if lacksFolder { engine.post(.saveFailure(.noUserFolder)) }
  }

  /// The name of the process if it is a valid name of a domain.
  private static var processName: String {
    // Without /proc the runtime has no arguments.
    let path = CommandLine.arguments.first ?? String(cString: larder_program_name())
    guard let name = path.split(separator: "/").last.map(String.init),
      (try? DomainName.check(name)) != nil
    else { return "swift" }
    return name
  }
}
