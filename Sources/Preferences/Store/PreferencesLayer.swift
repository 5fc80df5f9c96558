/// One of the places that are searched for a key.
public struct PreferencesLayer: Sendable, Hashable {
  /// The kind of place.
  public var kind: Kind
  /// The name of the domain that the layer belongs to.
  public var domain: String
  /// The path of the file that stores the layer; nil for a layer in memory.
  public var path: String?

  /// The kinds of layers, in search order, except that the layers of suites take turns: for each
  /// suite first those of this host.
  public enum Kind: String, Sendable, Hashable, CaseIterable, Comparable {
    /// Values that the machine's administrator manages, for this user and then for all.
    case managed
    /// Values from the command line.
    case argument
    /// Values from variables of the environment, for a store that is opened with
    /// ``PreferencesStore/Options/environment``.
    case environment
    /// The user's domain on this host.
    case userHost
    /// The user's domain, to which values are set.
    case user
    /// A suite that was added: the user's, on this host.
    case suiteHost
    /// A suite that was added: the user's.
    case suite
    /// The user's global domain, shared by all applications, on this host.
    case globalHost
    /// The user's global domain, shared by all applications.
    case global
    /// The domain's system-wide defaults for all users, then those of the suites.
    case system
    /// The global domain's system-wide defaults for all users.
    case systemGlobal
    /// Registered defaults.
    case registration

    /// Whether one kind comes before another in the list of all kinds.
    public static func < (left: Kind, right: Kind) -> Bool {
      allCases.firstIndex(of: left)! < allCases.firstIndex(of: right)!
    }
  }
}

extension PreferencesLayer {
  /// Where the values of the layer come from, for messages.
  package var place: String {
    switch kind {
    case .argument: "the command line"
    case .environment: "the environment"
    case .registration: "the registered defaults"
    default: path ?? domain
    }
  }
}
