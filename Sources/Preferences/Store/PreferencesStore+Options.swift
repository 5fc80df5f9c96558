public import PropertyList

extension PreferencesStore {
  /// Options for opening a store.
  public struct Options: Sendable {
    /// The folders that contain the files.
    public var locations = DomainLocations.standard
    /// The command line that supplies the argument domain; nil for the one of the process.
    public var arguments: [String]?
    /// The rules by which the command line is parsed.
    public var argumentOptions = ArgumentOptions()
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
