internal import CLinuxFile
internal import PropertyList
internal import Threading

/// The preferences of the application and of suites that it shares with others.
extension PreferencesStore {
  private struct Application {
    var identifier: String?
    var options: Options?
    /// Changes whenever the identifier or the options do.
    var version = 0
    var store: PreferencesStore?
    /// Work to do when the store is opened.
    var pending: [@Sendable () -> Void] = []
  }

  private static let application = Lock(Application())

  /// The preferences of the application, or within ``withStandard(_:operation:)`` its store.
  ///
  /// If the user has no folder for them (``PreferencesError/noUserFolder``), they are only in
  /// memory. This is reported as a ``PreferencesEvent/saveFailure(_:)``, or on standard error if no
  /// handler is registered.
  public static var standard: PreferencesStore { standardOverride ?? applicationStore }

  /// Whether a store is the application's. This does not open the application's store.
  static func isApplicationStore(_ store: PreferencesStore) -> Bool {
    application.withLock { $0.store === store }
  }

  /// Calls a closure when the application's store is opened; now if it is open, or if another store
  /// is standard here. A key of the standard store can thus be created before
  /// ``setApplication(identifier:options:)`` is called.
  package static func whenStandardOpens(_ body: @escaping @Sendable () -> Void) {
    let isPending =
      standardOverride == nil
      && application.withLock { application in
        if application.store != nil { return false }
        application.pending.append(body)
        return true
      }
    if !isPending { body() }
  }

  /// The application's store, which is opened at its first use.
  package static var applicationStore: PreferencesStore {
    while true {
      let known = application.withLock { $0 }
      if let store = known.store { return store }
      // Opened without the lock, because the file system may not answer.
      let store = PreferencesStore(
        application: known.identifier ?? processName, options: known.options ?? Options())
      let isCurrent = application.withLock { application in
        guard application.store == nil, application.version == known.version else { return false }
        application.store = store
        return true
      }
      guard isCurrent else { continue }
      for body in application.withLock({ exchange(&$0.pending, with: []) }) { body() }
      // Reported once the store exists, because a handler may use it.
      store.reportOpening()
      return store
    }
  }

  /// Sets the name of the application's domain, by default the name of the process, and the options
  /// of ``standard``. Call it before ``standard`` is first used, outside
  /// ``withStandard(_:operation:)``.
  ///
  /// ```swift
  /// var options = PreferencesStore.Options()
  /// options.argumentOptions.acceptsLongOptions = true
  /// options.environment = EnvironmentOptions(prefix: "APP_")
  /// try PreferencesStore.setApplication(identifier: "org.example.app", options: options)
  /// ```
  ///
  /// - Parameters:
  ///   - identifier: The name of the domain.
  ///   - options: The options of ``standard`` and ``init()``; nil for the default ones.
  /// - Throws: ``PreferencesError/invalidDomainName(_:)``, or
  ///   ``PreferencesError/lateApplication(_:used:)`` if the preferences are already in use under
  ///   another name, which is a programming error; nothing has changed then.
  public static func setApplication(
    identifier: String, options: Options? = nil
  ) throws(PreferencesError) {
    try DomainName.check(identifier)
    let used = application.withLock { application -> String? in
      if let used = application.store?.domain, options != nil || !used.hasSameBytes(as: identifier)
      {
        return used
      }
      application.identifier = identifier
      application.options = options
      application.version += 1
      return nil
    }
    if let used { throw .lateApplication(identifier, used: used) }
  }

  /// Saves ``standard`` and creates it again at its next use, without the suites that were added. A
  /// store that replaces it for a test is saved and stays.
  public static func resetStandardUserDefaults() {
    (standardOverride ?? application.withLock { exchange(&$0.store, with: nil) })?.synchronize()
  }

  /// Opens a suite, a domain that several applications share; nil opens the application's own
  /// domain.
  ///
  /// An absolute path names a single file, without its extension, as in Foundation on Linux:
  /// `/srv/app/state` is the file `/srv/app/state.plist`. In addition to the file, such a store has
  /// the command line and the registered defaults.
  ///
  /// The result is nil for an invalid name, and for the application's domain and the global domain,
  /// which have other entry points.
  public convenience init?(suiteName: String?) {
    let application = Self.application.withLock { $0.identifier } ?? Self.processName
    guard suiteName?.hasSameBytes(as: application) != true, suiteName != DomainName.global else {
      return nil
    }
    if let suiteName, suiteName.utf8.first == UInt8(ascii: "/") {
      guard suiteName.utf8.last != UInt8(ascii: "/"), !suiteName.utf8.contains(0) else {
        return nil
      }
      self.init(fileAt: suiteName + ".plist", options: Options())
      return
    }
    do { try self.init(domain: suiteName ?? application) } catch { return nil }
  }

  /// Opens the application's own domain, as ``init(suiteName:)`` does for nil; in memory if it
  /// has no folder, like ``standard``.
  public convenience init() {
    let application = Self.application.withLock { $0 }
    self.init(
      application: application.identifier ?? Self.processName,
      options: application.options ?? Options())
    reportOpening()
  }

  /// The name of the process if it is a valid domain name.
  private static var processName: String {
    // Without /proc the runtime has no arguments.
    let path = CommandLine.arguments.first ?? String(cString: larder_program_name())
    guard let name = path.split(separator: "/").last.map(String.init),
      (try? DomainName.check(name)) != nil
    else { return "swift" }
    return name
  }
}
