internal import PropertyList

extension PreferencesStore {
  /// Checks all layers when a program starts: each file can be read and passes its check, the
  /// store's own domain is migrated, and each value of a key with a registered default has the
  /// default's type.
  ///
  /// Text from the command line and the environment must be readable as that type. An integer is
  /// accepted as a real. To check a narrower type, such as `UInt16`, use ``value(_:forKey:)``.
  ///
  /// ```swift
  /// store.register(defaults: ["listen.port": 80])
  /// try store.validate()
  /// ```
  ///
  /// - Throws: The first problem: an error of ``problems``, or
  ///   ``PreferencesError/wrongType(key:expected:found:layer:)``.
  public func validate() throws(PreferencesError) {
    if let problem = problems.first { throw problem }
    for (key, standard) in registration.all {
      try environment?.check(key)
      for origin in origins(forKey: key) where !standard.hasType(of: origin) {
        throw .wrongType(
          key: key, expected: standard.kind.withArticle, found: origin.value.kind,
          layer: origin.layer)
      }
    }
  }
}

extension PlistValue {
  /// Whether a value from elsewhere is of this value's type.
  fileprivate func hasType(of origin: PreferencesOrigin) -> Bool {
    switch (kind, origin.value) {
    case (.real, .integer), (.real, .unsignedInteger): true
    case (_, .string(let text)) where origin.layer.kind == .argument:
      Coercion.value(text, as: kind) != nil
    default: kind == origin.value.kind
    }
  }
}
