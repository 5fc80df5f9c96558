/// Limits of what managed preferences may hold. What exceeds one is refused whole, before it is
/// published and before it reaches a file.
public struct ManagedPreferencesLimits: Sendable, Hashable {
  /// The largest number of domains of a replica; 1,000 by default.
  public var domains = 1000
  /// The largest number of keys of a domain; 10,000 by default.
  public var keysOfDomain = 10_000
  /// The largest size of the file of a domain in bytes; 8 MiB by default.
  public var bytesOfDomain = 8 << 20

  /// Creates the default limits.
  public init() {}
}
