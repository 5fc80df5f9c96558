/// Names of domains and their rules.
package enum DomainName {
  static let global = "NSGlobalDomain"
  static let argument = "NSArgumentDomain"
  static let environment = "EnvironmentDomain"
  static let registration = "NSRegistrationDomain"

  /// Throws for a name that would lead to a file outside the folder of domains.
  package static func check(_ name: String) throws(PreferencesError) {
    guard !name.isEmpty, name != ".", name != "..",
      !name.utf8.contains(where: { $0 == UInt8(ascii: "/") || $0 == 0 })
    else { throw .invalidDomainName(name) }
  }
}
