package import Manifests
package import Preferences
internal import PropertyList
internal import Synchronization

/// A declared key: its name, its traits, and the typed preference, which is made when it is first used
/// or when the application's store is opened.
package final class KeyDeclaration<Value>: Sendable {
  package let name: String
  private let traits: KeyTraits
  private let coder: PlistCoder<Value>
  private let fallback: Fallback
  private let prepare: (@Sendable (TypedPreference<Value>) -> Void)?
  private let made = AtomicLazyReference<TypedPreference<Value>>()

  /// The value if nothing is stored.
  package enum Fallback: @unchecked Sendable {
    // Sendable as far as values are: typed preferences decode a fixed value for each reader.

    /// A value that is registered.
    case fixed(Value)
    /// The result of a closure, which is not registered.
    case computed(@Sendable () -> Value)

    fileprivate var value: Value {
      switch self {
      case .fixed(let value): value
      case .computed(let make): make()
      }
    }
  }

  /// - Parameters:
  ///   - store: The store; nil for the standard one, which need not be open.
  ///   - prepare: Converts values that older versions of the program have stored.
  package init(
    _ name: String, _ traits: [PreferenceTrait<Value>], in store: PreferencesStore?,
    coder: PlistCoder<Value>, fallback: Fallback,
    preparing prepare: (@Sendable (TypedPreference<Value>) -> Void)? = nil
  ) {
    self.name = name
    self.traits = KeyTraits(name, traits) { (try? coder.encode($0)) ?? nil }
    self.coder = traits.isEmpty ? coder : coder.limited(by: self.traits)
    (self.fallback, self.prepare) = (fallback, prepare)
    if let store {
      _ = make(in: store)
    } else {
      PreferencesStore.whenStandardOpens { [self] in
        if made.load() == nil { _ = make(in: .standard) }
      }
    }
  }

  @inline(__always)
  package var preference: TypedPreference<Value> {
    made.load() ?? make(in: PreferencesStore.applicationStore)
  }

  @inline(never)
  private func make(in store: PreferencesStore) -> TypedPreference<Value> {
    var preference =
      switch fallback {
      case .fixed(let value): TypedPreference(name, in: store, coder: coder, default: value)
      case .computed(let make): TypedPreference(name, in: store, coder: coder, default: make)
      }
    if let prepare { preference = preference.preparing(prepare) }
    return made.storeIfNil(preference)
  }

  package var manifestKey: PreferencesManifest.Key {
    let encode: (Any) -> PlistValue? = { [coder] value in
      (value as? Value).flatMap { (try? coder.encode($0)) ?? nil }
    }
    var sample: Value?
    if case .fixed(let value) = fallback { sample = value }
    var key = TypeDescription(of: Value.self, like: sample.map { $0 as Any }, stored: encode).key
    key.complete(traits.key)
    let sources = [
      traits.option.map { "the option --\($0)" },
      traits.environmentVariable.map { "the environment variable \($0)" },
    ].compactMap(\.self)
    if !sources.isEmpty { key.note = "Also set by \(sources.joined(separator: " and "))." }
    if !key.holdsSecret { key.defaultValue = sample.flatMap { encode($0) } }
    key.declaration.object = SettableKey(
      key, environmentVariable: traits.environmentVariable, option: traits.option,
      coder: coder, default: { [fallback] in fallback.value }, preference: { [self] in preference })
    return key
  }
}

extension PreferencesManifest.Key {
  /// Adds what traits say about the key.
  fileprivate mutating func complete(_ traits: PreferencesManifest.Key) {
    name = traits.name
    (title, description) = (traits.title, traits.description)
    (unit, placeholder, isSensitive) = (traits.unit, traits.placeholder, traits.isSensitive)
    if traits.minimum != nil || traits.maximum != nil {
      (minimum, maximum) = (traits.minimum ?? minimum, traits.maximum ?? maximum)
    }
    if let values = traits.allowedValues { (allowedValues, allowedValueTitles) = (values, []) }
    (format, minimumCount) = (traits.format, traits.minimumCount)
    maximumCount = traits.maximumCount
  }
}
