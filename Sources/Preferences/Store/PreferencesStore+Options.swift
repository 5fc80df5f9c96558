public import PropertyList

extension PreferencesStore {
  /// Options for opening a store.
  public struct Options: Sendable {
    /// The folders that contain the files.
    public var locations: DomainLocations {
      get { chosenLocations ?? .standard }
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

    /// The default options.
    public init() {}
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
    usesPrivateRegistrationDomain ? VolatileDomain() : .registration
  }

  /// The domain of variables of the environment, for a store of a domain.
  func environmentDomain(
    of domain: String, _ registration: VolatileDomain
  ) -> EnvironmentDomain? {
    environment.map { EnvironmentDomain($0, domain: domain, registration: registration) }
  }
}
