@_exported public import Manifests
package import Preferences
package import PropertyList
@_exported public import Publishing
internal import Threading

/// A preference with a type: a key of a store, a coder of its values, and a default.
///
/// The front ends are built on it. It reads and stores values, falls back to the default and
/// reports that, and observes changes.
package final class TypedPreference<Value>: Sendable {
  package var name: String { key.name }
  private let key: PreparedKey
  /// The store, or the store that is standard when the preference is used.
  package let reference: StoreReference
  /// The store that was standard when the preference was created, or the fixed store.
  let store: PreferencesStore
  package let coder: PlistCoder<Value>
  /// Returns the default, which is read if there is no stored value or it cannot be read.
  package let makeDefault: @Sendable () -> Value
  /// Whether all calls of ``makeDefault`` return equal values.
  let hasFixedDefault: Bool
  let state: TypedPreferenceState<Value>
  /// Converts values that older versions of the program have stored, once in each store.
  private let prepare: (@Sendable (TypedPreference) -> Void)?
  /// The latest value merged from a stored one and the default, which belongs to this preference
  /// alone. Only values whose copies are independent are cached.
  let merged = Lock<Merged?>(nil)

  struct Merged {
    var value: Value
    var stored: PlistValue
  }

  private init(
    _ name: String, in reference: StoreReference, coder: PlistCoder<Value>, hasFixedDefault: Bool,
    prepare: (@Sendable (TypedPreference) -> Void)? = nil,
    default makeDefault: @escaping @Sendable () -> Value
  ) {
    self.prepare = prepare
    key = PreparedKey(name)
    self.reference = reference
    store = reference.known
    self.coder = coder
    self.hasFixedDefault = hasFixedDefault
    self.makeDefault = makeDefault
    state = .shared(name, in: reference.known)
  }

  /// Creates a preference whose default is made whenever it is needed.
  package convenience init(
    _ name: String, in store: PreferencesStore, coder: PlistCoder<Value>,
    default makeDefault: @escaping @Sendable () -> Value
  ) {
    self.init(
      name, in: StoreReference(store), coder: coder, hasFixedDefault: false, default: makeDefault)
  }

  /// Creates a preference with a default, and registers it with the store if it can be stored.
  package convenience init(
    _ name: String, in store: PreferencesStore, coder: PlistCoder<Value>, default value: Value
  ) {
    // Each reader decodes its own copy; a default that cannot be stored is shared by all.
    nonisolated(unsafe) let value = value
    let stored = ValueSemantics.areGuaranteed(for: value) ? nil : try? coder.encode(value)
    self.init(name, in: StoreReference(store), coder: coder, hasFixedDefault: true) {
      stored.flatMap { try? coder.decode($0) } ?? value
    }
    registerDefault()
  }

  /// Returns the same preference with a conversion of values that older versions of the program
  /// have stored. It runs now, and in each store that replaces this one, when the preference is
  /// first used there.
  package func preparing(_ prepare: @escaping @Sendable (TypedPreference) -> Void)
    -> TypedPreference
  {
    prepare(self)
    return TypedPreference(
      name, in: reference, coder: coder, hasFixedDefault: hasFixedDefault, prepare: prepare,
      default: makeDefault)
  }

  /// Returns the same preference in one store, which nothing replaces.
  package func `in`(_ other: PreferencesStore) -> TypedPreference {
    if other === store, !reference.canChange { return self }
    return TypedPreference(
      name, in: StoreReference(fixed: other), coder: coder, hasFixedDefault: hasFixedDefault,
      prepare: prepare, default: makeDefault)
  }

  /// The same preference, bound to its present store for use elsewhere or later.
  package var resolved: TypedPreference {
    if let other = reference.other { return elsewhere(other) }
    return reference.canChange ? self.in(store) : self
  }

  /// Returns the same preference in the store that is standard here, with its default registered
  /// and older values converted there.
  @inline(never)
  private func elsewhere(_ other: PreferencesStore) -> TypedPreference {
    let preference = self.in(other)
    if hasFixedDefault || prepare != nil, preference.state.beginRegistration() {
      if hasFixedDefault { preference.registerDefault() }
      prepare?(preference)
    }
    return preference
  }

  private func registerDefault() {
    do throws(ValueConversionError) {
      if let plist = try encode(makeDefault()) { store.register(defaults: [name: plist]) }
    } catch {
      report(.store, error)
    }
  }

  // MARK: Reading

  /// The value, or the default if there is none or it cannot be read, which is reported once for
  /// each stored value.
  package var value: Value {
    if let other = reference.other { return elsewhere(other).value }
    track()
    return value(of: store.plistValue(for: key))
  }

  /// Records that the current tracking scope, if there is one, depends on the preference.
  @inline(__always)
  private func track() {
    if state.tracker.access() { observeForTracking() }
  }

  /// Starts to notify the scopes that depend on the preference of its changes.
  @inline(never)
  private func observeForTracking() {
    let (tracker, coder) = (state.tracker, coder)
    let observation = store.observe([name], initial: false) { [weak tracker] change, _ in
      if coder.areEquivalent == nil || !coder.isSame(change.oldValue, change.newValue) {
        tracker?.notify()
      }
    }
    tracker.keep(observation)
  }

  /// Returns the value of a stored form: decoded, merged with the default if that fails, or the
  /// default.
  ///
  /// This is the fast path of native types: a function looks up the metadata of all generic types
  /// that it mentions at each call, so everything else is in ``cachedOrDecodedValue(of:)``.
  @inline(__always)
  package func value(of stored: PlistValue?) -> Value {
    guard let stored else { return makeDefault() }
    if coder.isCostly { return cachedOrDecodedValue(of: stored) }
    do throws(ValueConversionError) {
      return try coder.decode(stored)
    } catch {
      return cachedOrDecodedValue(of: stored)
    }
  }

  /// Returns the value, or the default if there is none.
  ///
  /// - Throws: ``TypedPreferenceError`` if the stored value cannot be read. It is not merged with
  ///   the default.
  package func load() throws(TypedPreferenceError) -> Value {
    if let other = reference.other { return try elsewhere(other).load() }
    track()
    guard let stored = store.plistValue(for: key) else { return makeDefault() }
    do throws(ValueConversionError) {
      return try coder.decode(stored)
    } catch {
      if let value = argumentValue(of: stored) { return value }
      if isFrom(.registration, stored) { return makeDefault() }
      throw preferenceError(.read, error, of: stored)
    }
  }

  // MARK: Storing

  /// Stores a value, unless the stored value is equal. If that fails, the error is reported, and
  /// the stored value stays.
  ///
  /// The elements of a stored collection that cannot be decoded are kept, unless the new value is
  /// empty or nil.
  package func set(_ value: Value) {
    if let other = reference.other { return elsewhere(other).set(value) }
    do throws(ValueConversionError) {
      let new = try encodeReplacement(value)
      if !hasStored(new) { store.put(new, forKey: name) }
    } catch {
      report(.store, error)
    }
  }

  /// Stores a value as ``set(_:)`` does.
  ///
  /// - Throws: ``TypedPreferenceError`` if it cannot be stored, or if the store refuses it; the
  ///   stored value then stays.
  package func save(_ value: Value) throws(TypedPreferenceError) {
    if let other = reference.other { return try elsewhere(other).save(value) }
    do throws(ValueConversionError) {
      let new = try encodeReplacement(value)
      if hasStored(new) { return }
      do throws(PreferencesError) { try store.putThrowing(new, forKey: name) } catch {
        throw ValueConversionError(error)
      }
    } catch {
      throw preferenceError(.store, error)
    }
  }

  /// Whether the store has an equal value. Its stored form may differ, and stays.
  private func hasStored(_ new: PlistValue?) -> Bool {
    coder.areEquivalent != nil && coder.isSame(store.ownValue(forKey: name), new)
  }

  /// Removes the value from the store's own domain.
  package func remove() {
    reference.store.removeObject(forKey: name)
  }

  /// Encodes a value, with the elements of the replaced value that cannot be decoded.
  private func encodeReplacement(_ value: Value) throws(ValueConversionError) -> PlistValue? {
    guard let partial = coder.partial else { return try encode(value) }
    guard let plist = try encode(value) else { return nil }
    // Values from the command line and managed values only shadow the replaced value.
    if let replaced = store.origins(forKey: name).first(where: { $0.layer.kind >= .user }),
      replaced.layer.kind != .registration, !state.isComplete(replaced.value),
      (try? coder.decode(replaced.value)) == nil
    {
      return partial.keepUnreadable(plist, replaced.value)
    }
    state.recordWriting(plist)
    return plist
  }

  private func encode(_ value: Value) throws(ValueConversionError) -> PlistValue? {
    guard let plist = try coder.encode(value) else { return nil }
    do throws(PreferencesError) {
      try plist.checkStorable()
    } catch {
      throw ValueConversionError(error)
    }
    return plist
  }

  // MARK: Errors

  private func preferenceError(
    _ operation: TypedPreferenceError.Operation, _ reason: ValueConversionError,
    of stored: PlistValue? = nil
  ) -> TypedPreferenceError {
    TypedPreferenceError(
      domain: store.domain, key: name, operation: operation, reason: reason, type: "\(Value.self)",
      storedKind: stored?.kind,
      layer: operation == .read ? store.origin(forKey: name)?.layer : nil)
  }

  /// Reports that an operation has failed.
  package func report(
    _ operation: TypedPreferenceError.Operation, _ reason: ValueConversionError,
    of stored: PlistValue? = nil
  ) {
    preferenceError(operation, reason, of: stored)
      .report(by: reference.store.engine)
  }

  // MARK: Comparing

  /// Whether the value has the stored form of the default, or is equal to it.
  package var isDefault: Bool {
    coder.isSame(try? coder.encode(value), try? coder.encode(makeDefault()))
  }

  /// Returns whether a change of the store only replaces the stored form of a value with a
  /// different form of an equal value.
  package func keepsValue(_ change: PreferencesChange) -> Bool {
    guard coder.areEquivalent != nil, change.oldValue != change.newValue else { return false }
    return coder.isSame(change.oldValue, change.newValue)
  }

  // MARK: Observing

  /// Calls a closure with the current value, before this returns, and then with each new one, as
  /// ``PreferencesStore/observe(_:initial:_:)`` does.
  package func observe(_ handler: @escaping @Sendable (Value) -> Void) -> PreferencesObservation {
    if let other = reference.other { return elsewhere(other).observe(handler) }
    return store.observe([name], initial: true) { [self] change, _ in
      if !keepsValue(change) { handler(value(of: change.newValue)) }
    }
  }
}

extension TypedPreference {
  /// A publisher of the value, in the store that it has here: of the current value, and then of
  /// each new one, even within a closure that suppresses notifications.
  package func publisher() -> AnyPublisher<Value, Never> {
    AnyPublisher { [resolved] subscriber in
      let observation = resolved.observe { subscriber.receive($0) }
      return AnyCancellable { observation.cancel() }
    }
  }
}
