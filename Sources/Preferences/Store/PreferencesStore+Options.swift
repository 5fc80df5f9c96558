public import PropertyList

extension PreferencesStore {
  /// What a store can be told beyond its domain.
  public struct Options: Sendable {
    /// The folders in which files lie.
    public var locations = DomainLocations.standard
    /// The command line that gives the argument domain; nil for that of the process.
    public var arguments: [String]?
    /// How the command line is understood.
    public var argumentOptions = ArgumentOptions()
    /// Whether registered defaults are the store's own and not shared by the process, for tests
    /// that run side by side.
    public var usesPrivateRegistrationDomain = false
    /// The format that the file is held to, `.xml` or `.binary`; nil for whatever keeps every
    /// value.
    ///
    /// Under `.xml` dates are rounded down to whole seconds when they are set. It counts for all
    /// stores of the domain in the process from then on.
    public var format: PlistFormat?

    /// The defaults of all options.
    public init() {}
  }
}
