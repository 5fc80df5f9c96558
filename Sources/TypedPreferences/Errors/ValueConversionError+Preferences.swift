package import Preferences
internal import PropertyList

extension ValueConversionError {
  /// Creates the error of a value that preferences cannot hold, at the place where it is, or that a
  /// store refuses.
  package init(_ error: PreferencesError) {
    let place = error.place ?? PlistKeyPath()
    switch error {
    case .unsupportedType(let type, _):
      let remedy = PreferencesError.remedy(for: type)
      self.init(.unstorable(type: type, remedy: remedy), path: place)
    case .unsupportedKeys(let type, _):
      self.init(.unstorable(type: type, remedy: "its keys must be strings"), path: place)
    case .nullValue: self.init(.unstorable(type: "null", remedy: "leave it out"), path: place)
    case .readOnly: self.init(.refused("the store is read-only"))
    case .refusedChange(_, _, let reason): self.init(.refused("refused by the program: \(reason)"))
    case .dateIsNaN: self.init(.malformed(expected: "a date that is not NaN"), path: place)
    default: self.init(.coding(error.unstorableText), path: place)
    }
  }
}
