public import PropertyList

extension PreferencesStore {
  /// Options for opening a store.
  public struct Options: Sendable {
    /// The engine that the store shares with others: that of the process, or one for a test.
    public var engine: PreferencesEngine
    /// The folders that contain the files.
    public var locations: DomainLocations {
      get { chosenLocations ?? engine.locations }
      set { chosenLocations = newValue }
    }
    // The standard ones are looked for only where they are needed.
    private var chosenLocations: DomainLocations?
    /// The command line that supplies the argument domain, beginning with the program's name; nil for
    /// the one of the process, and an empty array for none.
    public var arguments: [String]?
    /// The rules by which the command line is parsed.
    public var argumentOptions = ArgumentOptions()
    /// The variables of the environment that supply values, searched after the command line and
    /// before the user's files; nil for none.
    public var environment: EnvironmentOptions?
    /// Whether the store has a registration domain of its own instead of the one that the process
    /// shares, for tests that run in parallel.
    public var usesPrivateRegistrationDomain = false
    /// The format that the file is held to, `.xml` or `.binary`; nil for one that stores every
    /// value exactly.
    ///
    /// With `.xml`, dates are rounded down to whole seconds when they are set. The format applies
    /// to all stores of the domain in the process from then on.
    public var format: PlistFormat?

    /// Whether the store changes nothing on disk, as for a configuration that a server reads.
    ///
    /// A value that is set is refused: what throws throws ``PreferencesError/readOnly(_:)``, and what
    /// does not throw changes nothing and reports a ``PreferencesEvent/refusedChange(domain:key:)``,
    /// after which the next ``PreferencesStore/flush()-8fwik`` throws. Other stores of the same file
    /// may change it. The folder of the file need not be writable.
    public var isReadOnly = false
    /// A check of the contents of the store's own file, made whenever it is read; nil for none.
    ///
    /// While a file does not pass, or cannot be read, the last good values stay, and a
    /// ``PreferencesEvent/lastGoodContents(path:reason:)`` says so; nothing is written over it. If there
    /// are none, because the file is bad when the store is opened, the store takes those of
    /// ``lastGoodFolder`` or has no values from this file. A file that does not exist is not checked,
    /// nor are values that this process sets.
    ///
    /// All stores of a file in the process share its values: the contents have to pass the checks of
    /// each store that exists, the next time that they are read. The check is called on any thread, and
    /// must not read the store.
    ///
    /// ```swift
    /// options.check = { values in
    ///   guard values["port"] != nil else { throw ConfigurationError("port is missing") }
    /// }
    /// ```
    public var check: (@Sendable (PlistDictionary) throws -> Void)?
    /// A folder in which a copy of the last good contents of the store's own file is kept; nil for no
    /// copy. It is created if it is missing.
    ///
    /// The copy is written, at once and for its owner only, when contents were read or saved that pass
    /// the checks and differ from it; where that fails, a ``PreferencesEvent/copyFailure(_:)`` says so.
    /// It is read where the file itself does not hold preferences or is refused by a check when the
    /// store is first read, and has to pass the check, too. It is never used for a file that does not
    /// exist or that the system cannot read. Of several stores of a file, the folder of the latest
    /// counts.
    public var lastGoodFolder: String?

    /// The default options, for an engine.
    public init(engine: PreferencesEngine = .process) {
      self.engine = engine
    }
  }
}

extension PreferencesStore.Options {
  /// Whether there is a command line at all.
  var readsArguments: Bool { arguments?.isEmpty != true }

  /// The domain of the command line.
  var argumentDomain: VolatileDomain {
    VolatileDomain(
      ArgumentDomain.parse(arguments ?? CommandLine.arguments, options: argumentOptions))
  }

  /// The domain of registered defaults.
  var registrationDomain: VolatileDomain {
    usesPrivateRegistrationDomain ? VolatileDomain() : engine.registration
  }

  /// The domain of variables of the environment, for a store of a domain.
  func environmentDomain(
    of domain: String, _ registration: VolatileDomain
  ) -> EnvironmentDomain? {
    environment.map {
      EnvironmentDomain($0, domain: domain, registration: registration, engine: engine)
    }
  }

  /// Applies the options of a file.
  ///
  /// - Returns: The handle that keeps the check in effect; nil if there is none.
  func apply(to file: DomainFile) -> PreferencesObservation? {
    if let lastGoodFolder { file.keepCopy(in: lastGoodFolder) }
    return check.map { file.add($0) }
  }
}
