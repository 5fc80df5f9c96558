/// The names of variables.
extension EnvironmentOptions {
  /// The name of the variable of a key; nil for a key that has none.
  package func variable(forKey key: String) -> String? {
    let name: String? =
      switch naming {
      case .upperSnakeCase: Self.upperSnakeCase(key)
      case .custom(let rule): rule(key)
      }
    guard let name else { return nil }
    let full = prefix + name
    // The environment cannot contain such names.
    return full.isEmpty || full.utf8.contains { $0 == 0 || $0 == UInt8(ascii: "=") } ? nil : full
  }

  private static func upperSnakeCase(_ key: String) -> String {
    let scalars = Array(key.unicodeScalars)
    var name = String.UnicodeScalarView()
    for (index, scalar) in scalars.enumerated() {
      guard scalar.properties.isAlphabetic || scalar.properties.numericType != nil else {
        name.append("_")
        continue
      }
      if index > 0, scalar.properties.isUppercase {
        let last = scalars[index - 1].properties
        let isNextLower =
          index + 1 < scalars.count && scalars[index + 1].properties.isLowercase
        if last.isLowercase || last.numericType != nil || last.isUppercase && isNextLower {
          name.append("_")
        }
      }
      name.append(contentsOf: scalar.properties.uppercaseMapping.unicodeScalars)
    }
    return String(name)
  }
}
