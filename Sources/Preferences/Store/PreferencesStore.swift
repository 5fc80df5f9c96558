public import PropertyList
internal import Threading

/// An application's preferences: one domain that it writes, and all the layers that are searched
/// for a key.
///
/// The store has the API of Foundation's `UserDefaults`. A value that is set is visible at once
/// everywhere in the process. It is saved in the background soon after, at the latest when the
/// process ends normally; ``flush()-8fwik`` saves it now. Processes that use Larder do not lose
/// each other's keys.
///
/// ```swift
/// let store = PreferencesStore.standard
/// store.register(defaults: ["volume": 0.5])
/// store.set("dark", forKey: "theme")
/// print(store.double(forKey: "volume"), store.string(forKey: "theme") ?? "none")
/// ```
///
/// A store can be used from any thread.
public final class PreferencesStore: Sendable {
  /// The domain where values are set; for a store of one file, its path.
  public let domain: String

  /// Whether the store changes nothing on disk: because its options say so, or because its domain
  /// does not have the version that ``Options/migrations`` lead to.
  public var isReadOnly: Bool { (try? checkWritable()) == nil }
  let isDeclaredReadOnly: Bool
  /// Nil without migrations.
  let migration: DomainMigration.Outcome?

  /// The engine that the store shares with others.
  public let engine: PreferencesEngine

  /// The layer ``PreferencesLayer/Kind/user``.
  let user: DomainFile
  /// Nil for a store of one file, which has no other domains.
  let files: LayerFiles?
  let argument: VolatileDomain
  let environment: EnvironmentDomain?
  let registration: VolatileDomain
  let attachments = Lock(Attachments())

  /// Whether typed values are found by key path.
  let readsKeyPaths: Bool
  /// Keeps the store's check in effect.
  private let check: PreferencesObservation?
  let valueCheck: Options.ValueCheck?
  /// Whether the store is in memory because there is no folder for its files.
  let lacksFolder: Bool
  let searchList: SearchList
  /// The added suites, the latest first. They change together with the search list.
  private let suites = Guarded<[String]>([])

  struct Attachments {
    /// Domains in memory that are not searched.
    var volatileDomains: [ByteKey: PlistDictionary] = [:]
    /// Files of other domains that were changed through this store since its last flush.
    var changedFiles: [ObjectIdentifier: DomainFile] = [:]
    /// Objects that are attached to keys.
    var companions: [CompanionKey: any AnyObject & Sendable] = [:]
    /// Why a change was first refused since the last flush.
    var refusal: PreferencesError?
  }

  /// Opens the preferences of a domain.
  ///
  /// - Throws: ``PreferencesError/invalidDomainName(_:)`` or ``PreferencesError/noUserFolder``.
  public convenience init(
    domain: String, options: Options = Options()
  ) throws(PreferencesError) {
    try DomainName.check(domain)
    try options.locations.checkUserFolder()
    self.init(
      domain: domain, files: LayerFiles(locations: options.locations, engine: options.engine),
      options: options)
    reportOpening()
  }

  private init(domain: String, files: LayerFiles, options: Options, lacksFolder: Bool = false) {
    _ = Self.rehearsesBeforeForks
    self.lacksFolder = lacksFolder
    self.domain = domain
    self.files = files
    engine = options.engine
    argument = options.argumentDomain
    registration = options.registrationDomain
    environment = options.environmentDomain(of: domain, registration)
    let files = files.checkingFolders()
    user = files.user(domain, format: options.format)
    isDeclaredReadOnly = options.isReadOnly
    readsKeyPaths = options.readsKeyPaths
    (migration, check) = options.apply(to: user)
    valueCheck = options.valueCheck
    searchList = SearchList(
      [SearchList.Entry](
        domain: domain, user: user, suites: [], files: files, argument: argument,
        environment: environment, registration: registration),
      runtime: engine.runtime)
  }

  /// Opens a store on one property list, with a private registration domain and no other layers.
  ///
  /// - Parameters:
  ///   - path: The path of the file, which need not exist.
  ///   - format: The format that the file must have; nil for any format that stores every value
  ///     exactly.
  ///   - engine: The engine that the store shares with others.
  public convenience init(
    fileAt path: String, format: PlistFormat? = nil, engine: PreferencesEngine = .process
  ) {
    var options = Options(engine: engine)
    options.arguments = []
    options.usesPrivateRegistrationDomain = true
    options.format = format
    self.init(fileAt: path, options: options)
  }

  /// Opens a store on one property list, for example the configuration of a server. The property
  /// list is searched after the command line and the environment, if the options include them, and
  /// before registered defaults.
  ///
  /// - Parameters:
  ///   - path: The path of the file, which need not exist.
  ///   - options: The options; ``Options/locations`` is ignored.
  public init(fileAt path: String, options: Options) {
    _ = Self.rehearsesBeforeForks
    lacksFolder = false
    engine = options.engine
    user = engine.registry.file(path, format: options.format)
    isDeclaredReadOnly = options.isReadOnly
    readsKeyPaths = options.readsKeyPaths
    (migration, check) = options.apply(to: user)
    valueCheck = options.valueCheck
    domain = user.path ?? path
    files = nil
    argument = options.argumentDomain
    registration = options.registrationDomain
    environment = options.environmentDomain(of: domain, registration)
    searchList = SearchList(
      [SearchList.Entry](
        path: domain, user: user, argument: options.readsArguments ? argument : nil,
        environment: environment, registration: registration),
      runtime: engine.runtime)
    reportOpening()
  }

  /// Creates a store that saves and shares nothing: all its layers are in memory, and it reads no
  /// command line.
  ///
  /// - Parameter engine: The engine that receives its events.
  public static func inMemory(engine: PreferencesEngine = .process) -> PreferencesStore {
    var options = Options(engine: engine)
    options.arguments = []
    return inMemory(options: options)
  }

  /// Creates a store that saves and shares nothing, for tests of a program's command line or
  /// environment.
  ///
  /// ```swift
  /// var options = PreferencesStore.Options()
  /// options.argumentsAfterName = ["--width=100"]
  /// options.argumentOptions.acceptsLongOptions = true
  /// let store = PreferencesStore.inMemory(options: options)
  /// ```
  ///
  /// - Parameter options: The command line is the process's, unless the options contain another one
  ///   or none. ``Options/locations``, ``Options/lastGoodFolder`` and
  ///   ``Options/usesPrivateRegistrationDomain`` have no effect.
  public static func inMemory(options: Options) -> PreferencesStore {
    var options = options
    options.usesPrivateRegistrationDomain = true
    return PreferencesStore(
      domain: "InMemory", files: .inMemory(engine: options.engine), options: options)
  }

  /// Opens the application's domain, whose name has been checked. It is in memory if there is no
  /// folder for it.
  convenience init(application domain: String, options: Options) {
    let locations = options.locations
    let lacksFolder = !locations.hasUserFolder
    self.init(
      domain: domain,
      files: lacksFolder
        ? .inMemory(engine: options.engine)
        : LayerFiles(locations: locations, engine: options.engine),
      options: options, lacksFolder: lacksFolder)
  }

  /// How the library works in the background; see ``PreferencesEngine/configuration``.
  public static var runtimeConfiguration: RuntimeConfiguration {
    get { currentEngine.configuration }
    set { currentEngine.configuration = newValue }
  }

  // MARK: Layers

  /// Adds a suite to the search list, before the suites that were added earlier.
  ///
  /// An invalid name is ignored, and so are the store's own domain and the global domain, which are
  /// already in the list. A store of one file ignores every name.
  public func addSuite(named name: String) {
    guard (try? DomainName.check(name)) != nil, !name.hasSameBytes(as: domain),
      name != DomainName.global
    else { return }
    changeSuites { suites in
      suites.removeAll { $0.hasSameBytes(as: name) }
      suites.insert(name, at: 0)
    }
  }

  /// Removes a suite from the search list.
  public func removeSuite(named name: String) {
    changeSuites { suites in suites.removeAll { $0.hasSameBytes(as: name) } }
  }

  private func changeSuites(_ body: (inout [String]) -> Void) {
    guard let files else { return }
    var delivery = Delivery()
    var isDone = false
    while !isDone {
      let old = StateLock.change { $0[suites] }
      var new = old
      body(&new)
      // Files are read before anything is locked, so another thread may have changed the names.
      isDone = searchList.replace(
        with: [SearchList.Entry](
          domain: domain, user: user, suites: new, files: files, argument: argument,
          environment: environment, registration: registration), &delivery
      ) { change in
        guard change[suites].elementsEqual(old, by: { $0.hasSameBytes(as: $1) })
        else { return false }
        change[suites] = new
        return true
      }
    }
    delivery.deliver()
  }

  /// The layers that have a value for a key, in search order. The first one supplies the value.
  public func origins(forKey key: String) -> [PreferencesOrigin] {
    searchList.resolve(CollectionOfOne(key))
    return searchList.entries.compactMap { origin(forKey: key, in: $0) }
  }

  /// The layer that supplies the value of a key.
  public func origin(forKey key: String) -> PreferencesOrigin? {
    searchList.resolve(CollectionOfOne(key))
    for entry in searchList.entries {
      if let origin = origin(forKey: key, in: entry) { return origin }
    }
    return nil
  }

  private func origin(forKey key: String, in entry: SearchList.Entry) -> PreferencesOrigin? {
    entry.value(forKey: key).map { value in
      PreferencesOrigin(
        layer: entry.layer.supplying(key, variable: environment?.variable(forKey: key)),
        value: value)
    }
  }

  /// The problems of the layers' files. A file that cannot be read is treated as empty, or keeps
  /// the values of the last read.
  ///
  /// A changed format is not a problem. A file becomes binary when XML cannot hold a value, such as
  /// a date with a fraction of a second or a text with a character that XML excludes; this is
  /// reported as ``PreferencesEvent/formatChange(path:from:to:reason:)``. A domain with a fixed
  /// format (``Options/format``) never changes it.
  ///
  /// If the domain could not be migrated, the first problem says why.
  public var problems: [PreferencesError] {
    [migrationProblem].compactMap(\.self) + searchList.files.compactMap(\.problem)
  }

  /// Whether the administrator manages a key. A value that is set is stored, but hidden by the
  /// managed one.
  public func objectIsForced(forKey key: String) -> Bool {
    origin(forKey: key)?.layer.kind == .managed
  }

  // MARK: Values

  /// The value of a key in the first layer that has one.
  public func plistValue(forKey key: String) -> PlistValue? { searchList.read(key) { $0 } }

  package func plistValue(for key: PreparedKey) -> PlistValue? { searchList.read(key) { $0 } }

  /// Whether any layer has a value for a key.
  public func containsValue(forKey key: String) -> Bool {
    searchList.read(key) { _ in } != nil
  }

  /// Sets a value in the store's own domain.
  ///
  /// A value that preferences cannot hold is a programming error: null, a set, a date that is not a
  /// number, or more than 512 levels of containers including the domain. It stops the program with
  /// a message that names the key, the place and the type; ``setAny(_:forKey:)`` throws instead.
  public func set(_ value: PlistValue, forKey key: String) {
    ProgrammingError.stopping(at: key, typeOf: { _ in value }) { () throws(PreferencesError) in
      try value.checkStorable()
    }
    put(value, forKey: key)
  }

  /// Removes a value from the store's own domain. A value of another layer may become visible.
  public func removeObject(forKey key: String) { put(nil, forKey: key) }

  /// Sets a value that preferences can hold, or removes it, unless the change is refused.
  package func put(_ value: PlistValue?, forKey key: String) {
    do throws(PreferencesError) {
      try putThrowing(value, forKey: key)
    } catch {
      refuse(error, ofKey: key)
    }
  }

  /// Sets a value that preferences can hold, or removes it, and calls the change hook.
  ///
  /// - Throws: The reason if the change is refused.
  package func putThrowing(_ value: PlistValue?, forKey key: String) throws(PreferencesError) {
    try checkChange(ofKey: key, to: value)
    if user.set(value, forKey: key) { ChangeHook.shared.call(self) }
  }

  /// Removes all values from the store's own domain.
  public func removeAll() {
    do throws(PreferencesError) {
      try checkReplacement(of: PlistDictionary(), with: PlistDictionary())
      if user.replaceAll(with: PlistDictionary()) { ChangeHook.shared.call(self) }
    } catch {
      refuse(error, ofKey: nil)
    }
  }

  /// The effective values: for each key, the result of ``plistValue(forKey:)``.
  public var plistRepresentation: PlistDictionary {
    var result = PlistDictionary()
    if environment != nil {
      for entry in searchList.entries { searchList.resolve(entry.allValues.keys) }
    }
    for entry in searchList.entries.reversed() {
      for (key, value) in entry.allValues { result[key] = value }
    }
    return result
  }

  /// Adds values to the registration domain, which is searched last and never saved. A later
  /// registration replaces an earlier one of the same key.
  ///
  /// A value that preferences cannot hold is a programming error, as for
  /// ``set(_:forKey:)-(PlistValue,_)``; ``registerAny(defaults:)`` throws instead.
  public func register(defaults: PlistDictionary) {
    ProgrammingError.stopping(typeOf: { defaults[$0] }) { () throws(PreferencesError) in
      try defaults.checkStorable()
    }
    registration.merge(defaults)
  }
}

extension PreferencesStore: Hashable {
  /// Compares the identity of the objects.
  public static func == (left: PreferencesStore, right: PreferencesStore) -> Bool { left === right }

  /// Hashes the object's identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
