public import PropertyList

extension PreferencesStore {
  /// Options for opening a store.
  public struct Options: Sendable {
    /// The engine that the store shares with other stores: the process's, or one for a test.
    public var engine: PreferencesEngine
    /// The folders of the domains' files.
    public var locations: DomainLocations {
      get { chosenLocations ?? engine.locations }
      set { chosenLocations = newValue }
    }
    // The standard folders are determined only if they are needed.
    private var chosenLocations: DomainLocations?
    /// The command line of the argument domain, beginning with the program's name; nil for the
    /// process's, empty for none. See ``argumentsAfterName``.
    public var arguments: [String]?
    /// The command line of the argument domain without the program's name; nil for the process's.
    ///
    /// ```swift
    /// options.argumentsAfterName = ["-width", "100"]
    /// ```
    public var argumentsAfterName: [String]? {
      get { arguments.map { Array($0.dropFirst()) } }
      set { arguments = newValue.map { [CommandLine.arguments.first ?? ""] + $0 } }
    }
    /// The values of the argument domain, if they are already parsed.
    package var parsedArguments: ParsedArguments?
    /// How the command line is parsed.
    public var argumentOptions = ArgumentOptions()
    /// Environment variables that supply values, searched after the command line and before the
    /// user's files; nil for none.
    public var environment: EnvironmentOptions?
    /// Whether ``PreferencesStore/value(_:forKey:)`` finds `db.host` in the dictionary of the key `db`,
    /// in each layer that has no value for the whole key. Off by default; other getters and observers
    /// do not follow key paths.
    public var readsKeyPaths = false
    /// Whether the store has its own registration domain instead of sharing the process's, for
    /// tests that run in parallel.
    public var usesPrivateRegistrationDomain = false
    /// The format that the file must have, `.xml` or `.binary`; nil for any format that stores
    /// every value exactly.
    ///
    /// With `.xml`, dates are rounded down to whole seconds when they are set. The format then
    /// applies to all stores of the domain in the process.
    public var format: PlistFormat?

    /// Whether the store changes nothing on disk, as for a configuration that a server reads. The
    /// file's folder need not be writable.
    ///
    /// Changes are refused. Throwing functions throw ``PreferencesError/readOnly(_:)``; others
    /// report a ``PreferencesEvent/refusedChange(domain:key:reason:)``, and the next
    /// ``PreferencesStore/flush()-8fwik`` throws. Other stores of the file may change it.
    public var isReadOnly = false
    /// The steps that convert the values of older versions of the program to the form of the
    /// present version.
    ///
    /// When a store is opened, before its first read, the steps after its domain's version run in
    /// one commit under the file's lock, so once for all processes. The domain stores its version
    /// under the key ``PreferencesMigration/versionKey``. A domain without one is migrated from the
    /// beginning if it has values; otherwise it is new and gets the newest version when it is first
    /// saved.
    ///
    /// If a step throws, the result does not pass ``check``, or the file cannot be saved, the file
    /// is not changed. The store then reads the old values, without ``check``, and refuses changes.
    /// It also refuses them if a newer program has migrated the domain, even while this one runs.
    /// The first of ``PreferencesStore/problems`` is the reason; a
    /// ``PreferencesEvent/migrationFailure(_:)`` reports it when the store is opened. Opening
    /// another store tries again.
    ///
    /// Among stores of a file in a process, the first one opened with steps decides, and a store
    /// with another newest version refuses changes. Read-only stores, domains in memory, and layers
    /// other than the user's are not migrated.
    public var migrations: [PreferencesMigration] = []
    /// The number of older versions whose file is kept beside the migrated one, by default 2.
    ///
    /// A migration first copies the file to its name with `.version-` and the old version, readable
    /// only by its owner, and afterwards removes the copies of older versions.
    public var migrationBackupCount = 2
    /// Checks the contents of the store's own file whenever it is read, and changes of several keys
    /// before they are made.
    ///
    /// While a file fails the check or cannot be read, the last good values stay, a
    /// ``PreferencesEvent/lastGoodContents(path:reason:)`` is reported, and the file is not
    /// overwritten. If the file is already bad when the store is opened, the store uses the copy in
    /// ``lastGoodFolder``, or has no values from this file. Missing files are not checked.
    ///
    /// ``PreferencesStore/update(timeout:_:)-45voj``, ``PreferencesStore/set(_:removing:)``,
    /// ``PreferencesStore/removeAll()`` and imports pass the domain's values with the change to the
    /// check, and change nothing if it throws. Setting or removing a single key does not, because
    /// checking a large domain takes long: use ``valueCheck`` for single values.
    ///
    /// All stores of a file in the process share its values: the next contents that are read, and
    /// these changes, must pass the checks of all of them. A check may run on any thread and must
    /// not read the store.
    ///
    /// ```swift
    /// options.check = { values in
    ///   guard values["port"] != nil else { throw ConfigurationError("port is missing") }
    /// }
    /// ```
    public var check: (@Sendable (PlistDictionary) throws -> Void)?
    /// Throws if a key must not have a value.
    public typealias ValueCheck = @Sendable (_ key: String, _ value: PlistValue) throws -> Void
    /// Checks each value that this store sets, before it is set; nil for no check.
    ///
    /// A value that fails is refused like a change of a read-only store: throwing functions throw
    /// ``PreferencesError/refusedChange(domain:key:reason:)``, others report a
    /// ``PreferencesEvent/refusedChange(domain:key:reason:)``, and the next
    /// ``PreferencesStore/flush()-8fwik`` throws. Removals, registered defaults, the command line, the
    /// environment and files are not checked. The check runs on the thread that sets the value.
    ///
    /// ```swift
    /// options.valueCheck = { key, value in
    ///   guard key == "port" else { return }
    ///   guard case .integer(1...65535) = value else { throw ConfigurationError("not a port") }
    /// }
    /// ```
    public var valueCheck: ValueCheck?
    /// The folder for a copy of the last good contents of the store's own file; nil for no copy. It
    /// is created if it is missing.
    ///
    /// Contents that pass the checks and differ from the copy are copied at once when they are read
    /// or saved, readable only by the owner; a failure is reported as a
    /// ``PreferencesEvent/copyFailure(_:)``. The copy is used when the store is first read and the
    /// file does not contain preferences or fails a check; the copy must also pass it. It is not
    /// used for a file that is missing or that the system cannot read. Among several stores of a
    /// file, the latest folder is used.
    public var lastGoodFolder: String?

    /// Creates the default options for an engine.
    public init(engine: PreferencesEngine = .process) { self.engine = engine }
  }
}

extension PreferencesStore.Options {
  /// Whether there is a command line.
  var readsArguments: Bool { parsedArguments != nil || arguments?.isEmpty != true }

  var argumentDomain: VolatileDomain {
    if let parsedArguments {
      return VolatileDomain(parsedArguments.values, options: parsedArguments.options)
    }
    return VolatileDomain(
      ArgumentDomain.parse(arguments ?? CommandLine.arguments, options: argumentOptions))
  }

  var registrationDomain: VolatileDomain {
    usesPrivateRegistrationDomain ? VolatileDomain() : engine.registration
  }

  func environmentDomain(of domain: String, _ registration: VolatileDomain) -> EnvironmentDomain? {
    environment.map {
      EnvironmentDomain(
        $0, domain: domain, registration: registration, events: engine.runtime.events)
    }
  }

  /// Migrates a file and applies the options to it.
  ///
  /// - Returns: The outcome of the migration, and the handle that keeps the check in effect. A
  ///   check of the new version is not applied to a file that is not migrated.
  func apply(
    to file: DomainFile
  ) -> (migration: DomainMigration.Outcome?, check: PreferencesObservation?) {
    let migration = migrate(file)
    if migration?.failure != nil { return (migration, nil) }
    if let lastGoodFolder { file.keepCopy(in: lastGoodFolder) }
    return (migration, check.map { file.add($0) })
  }

  private func migrate(_ file: DomainFile) -> DomainMigration.Outcome? {
    if isReadOnly || migrations.isEmpty { return nil }
    let migration = DomainMigration(migrations, backupCount: migrationBackupCount)
    let failure = file.migrate(by: migration, check: check) { path in
      engine.registry.file(path)
    }
    return DomainMigration.Outcome(version: migration.newest, failure: failure)
  }
}
