/// Limits of managed preferences. Contents that exceed a limit are refused as a whole, before they
/// are published and before they reach a file.
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
