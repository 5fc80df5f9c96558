/// One of the places in which a store looks for a key.
public struct PreferencesLayer: Sendable, Hashable {
  /// What sort of place it is.
  public var kind: Kind
  /// The domain of which it is a part.
  public var domain: String
  /// The file that keeps it; nil for what is kept in memory.
  public var path: String?

  /// The sorts of places, in the order in which they are searched.
  public enum Kind: String, Sendable, Hashable, CaseIterable, Comparable {
    /// Values that the machine's administrator has fixed.
    case managed
    /// Values given on the command line.
    case argument
    /// The domain of the user on this machine.
    case userHost
    /// The domain of the user, which is the one that is written to.
    case user
    /// A suite that was added, of the user on this machine.
    case suiteHost
    /// A suite that was added, of the user.
    case suite
    /// What all applications of the user share, on this machine.
    case globalHost
    /// What all applications of the user share.
    case global
    /// The domain's defaults for all users, then those of suites.
    case system
    /// Defaults for all applications and all users.
    case systemGlobal
    /// Defaults that were registered.
    case registration

    /// Whether one is searched before the other.
    public static func < (left: Kind, right: Kind) -> Bool {
      allCases.firstIndex(of: left)! < allCases.firstIndex(of: right)!
    }
  }
}
