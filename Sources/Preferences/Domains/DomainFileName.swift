/// The names of domains' files.
enum DomainFileName {
  /// The name of a domain's file, for all hosts or for one.
  static func name(_ domain: String, host: String? = nil) -> String {
    (domain == DomainName.global ? ".GlobalPreferences" : domain) + ending(host: host)
  }

  /// The end of the names of files, for all hosts or for one.
  static func ending(host: String?) -> String { (host.map { ".\($0)" } ?? "") + ".plist" }
}
