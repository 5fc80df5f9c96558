/// The rules for names of domains.
package enum DomainName {
  /// The domain that all applications share.
  static let global = "NSGlobalDomain"
  /// The volatile domain of the command line.
  static let argument = "NSArgumentDomain"
  /// The domain of variables of the environment.
  static let environment = "EnvironmentDomain"
  /// The volatile domain of registered defaults.
  static let registration = "NSRegistrationDomain"

  /// Rejects a name that would lead to a file outside the folder of domains.
  package static func check(_ name: String) throws(PreferencesError) {
    guard !name.isEmpty, name != ".", name != "..",
      !name.utf8.contains(where: { $0 == UInt8(ascii: "/") || $0 == 0 })
    else { throw .invalidDomainName(name) }
  }

  /// The name of a domain's files, without host and extension.
  static func fileName(_ name: String) -> String {
    name == global ? ".GlobalPreferences" : name
  }
}
