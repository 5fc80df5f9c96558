public import PropertyList
internal import Threading

/// Preferences as an application sees them: one domain that it writes to, and all the layers in
/// which a key is looked up.
///
/// It has the shape of Foundation's UserDefaults. A value that is set can be read at once
/// everywhere in the process, is saved in the background soon after, and at the latest when the
/// process ends in the normal way; ``flush()`` saves it now. What other processes save to other
/// keys is never lost.
///
/// ```swift
/// let store = PreferencesStore.standard
/// store.register(defaults: ["volume": 0.5])
/// store.set("dark", forKey: "theme")
/// print(store.double(forKey: "volume"), store.string(forKey: "theme") ?? "none")
/// ```
public final class PreferencesStore: Sendable {
  /// The name of the domain that is written to; the path for a store of one file.
  public let domain: String

  /// The user's file of the domain, layer 4 of the search.
  let user: DomainFile
  /// Where other domains are; nil for a store of one file, which knows no others.
  let files: DomainFiles?
  let argument: VolatileDomain
  let registration: VolatileDomain
  /// The keys that the Observation framework tracks.
  let trackedValues = TrackedValues()
  /// Domains in memory that take no part in the search, by name.
  let otherVolatileDomains = Lock<[String: PlistDictionary]>([:])
  /// Files of other domains that have been changed through this store since it was last saved.
  let otherChanges = Lock<[ObjectIdentifier: DomainFile]>([:])

  /// What other modules know of keys.
  let companions = Lock<[CompanionKey: any AnyObject & Sendable]>([:])

  /// All layers, in the order of the search.
  let searchList: SearchList
  /// The names of the suites that were added, the latest first.
  private let suites = Lock<[String]>([])

  /// The preferences of a domain.
  ///
  /// - Throws: ``PreferencesError/invalidDomainName(_:)``.
  public convenience init(
    domain: String, options: Options = Options()
  ) throws(PreferencesError) {
    try DomainName.check(domain)
    let arguments = ArgumentDomain.parse(
      options.arguments ?? CommandLine.arguments, options: options.argumentOptions)
    self.init(
      domain: domain, files: DomainFiles(locations: options.locations), format: options.format,
      argument: VolatileDomain(arguments),
      registration: options.usesPrivateRegistrationDomain ? VolatileDomain() : .registration)
  }

  private init(
    domain: String, files: DomainFiles, format: PlistFormat? = nil, argument: VolatileDomain,
    registration: VolatileDomain
  ) {
    self.domain = domain
    self.files = files
    self.argument = argument
    self.registration = registration
    user = files.user(domain, format: format)
    searchList = SearchList(
      [SearchList.Entry](
        domain: domain, user: user, suites: [], files: files, argument: argument,
        registration: registration))
  }

  /// A store on one property list, wherever it lies, with registered defaults of its own and no
  /// other layers.
  ///
  /// - Parameters:
  ///   - path: The path of the file, which need not exist.
  ///   - format: The format that the file is held to; nil for whatever keeps every value.
  public init(fileAt path: String, format: PlistFormat? = nil) {
    user = DomainRegistry.shared.file(path, format: format)
    domain = user.path ?? path
    files = nil
    argument = VolatileDomain()
    registration = VolatileDomain()
    searchList = SearchList(
      [SearchList.Entry](path: domain, user: user, registration: registration))
  }

  /// A store that saves nothing and shares nothing: all its layers are in memory and its own, and
  /// it reads no command line.
  public static func inMemory() -> PreferencesStore {
    PreferencesStore(
      domain: "InMemory", files: .inMemory(), argument: VolatileDomain(),
      registration: VolatileDomain())
  }

  // MARK: Layers

  /// Puts a suite into the search list, before those that were added earlier.
  ///
  /// A name that cannot be one, or is in the list already as the store's own domain or the global
  /// one, is passed over, and every name in a store of one file.
  public func addSuite(named name: String) {
    guard (try? DomainName.check(name)) != nil, name != domain, name != DomainName.global
    else { return }
    changeSuites { suites in
      suites.removeAll { $0 == name }
      suites.insert(name, at: 0)
    }
  }

  /// Takes a suite out of the search list.
  public func removeSuite(named name: String) {
    changeSuites { suites in suites.removeAll { $0 == name } }
  }

  private func changeSuites(_ change: (inout [String]) -> Void) {
    guard let files else { return }
    Delivery.collecting {
      var delivery = Delivery()
      // Held throughout, so that of two changes at a time the later one counts in both places.
      suites.withLock { suites in
        change(&suites)
        searchList.replace(
          with: [SearchList.Entry](
            domain: domain, user: user, suites: suites, files: files, argument: argument,
            registration: registration),
          &delivery)
      }
      delivery.deliver()
    }
  }

  /// The layers that hold a key, the one that supplies its value first; the others are shadowed.
  public func origins(forKey key: String) -> [PreferencesOrigin] {
    searchList.entries.compactMap { entry in
      entry.value(forKey: key).map { PreferencesOrigin(layer: entry.layer, value: $0) }
    }
  }

  /// The layer that supplies a key; nil where none does.
  public func origin(forKey key: String) -> PreferencesOrigin? {
    for entry in searchList.entries {
      if let value = entry.value(forKey: key) {
        return PreferencesOrigin(layer: entry.layer, value: value)
      }
    }
    return nil
  }

  /// What is wrong with the files of the layers: such that cannot be read count as empty.
  public var problems: [PreferencesError] {
    searchList.files.compactMap(\.problem)
  }

  /// Whether the machine's administrator has fixed the value of a key: what is set is stored, but
  /// not seen.
  public func objectIsForced(forKey key: String) -> Bool {
    origin(forKey: key)?.layer.kind == .managed
  }

  // MARK: Values

  /// The value of a key in the first layer that has one.
  public func plistValue(forKey key: String) -> PlistValue? {
    searchList.read(key) { $0 }
  }

  /// The same for a key that is looked up often.
  package func plistValue(for key: PreparedKey) -> PlistValue? {
    searchList.read(key) { $0 }
  }

  /// Whether any layer has a value for a key.
  public func containsValue(forKey key: String) -> Bool {
    searchList.read(key) { _ in } != nil
  }

  /// Sets a value in the store's own domain.
  ///
  /// What preferences cannot hold is a programming error: null, sets, dates that are no number,
  /// more than 512 levels of containers, that of the domain included.
  public func set(_ value: PlistValue, forKey key: String) {
    do {
      try value.checkStorable()
    } catch {
      preconditionFailure("\(error) (key \(key))")
    }
    put(value, forKey: key)
  }

  /// Removes a value from the store's own domain; another layer's may show then.
  public func removeObject(forKey key: String) {
    put(nil, forKey: key)
  }

  /// Sets a value that can be stored, or removes it, and tells of it.
  package func put(_ value: PlistValue?, forKey key: String) {
    if user.set(value, forKey: key) { ChangeHook.shared.call(self) }
  }

  /// Empties the store's own domain.
  public func removeAll() {
    if user.replaceAll(with: PlistDictionary()) { ChangeHook.shared.call(self) }
  }

  /// The values of all layers, each key's as ``plistValue(forKey:)`` gives it.
  public var plistRepresentation: PlistDictionary {
    var result = PlistDictionary()
    for entry in searchList.entries.reversed() {
      for (key, value) in entry.allValues { result[key] = value }
    }
    return result
  }

  /// Adds defaults, which are looked up last and never saved; later ones count more.
  ///
  /// What preferences cannot hold is a programming error.
  public func register(defaults: PlistDictionary) {
    do {
      try defaults.checkStorable()
    } catch {
      preconditionFailure("\(error)")
    }
    registration.merge(defaults)
  }
}
