package import Preferences
package import PropertyList
internal import Threading

/// A preference with a type: a key of a store, a coder of its values, and a default.
///
/// The front ends are built on it: it reads and stores values, falls back to the default and
/// reports that, and observes changes.
package final class TypedPreference<Value>: Sendable {
  /// The key.
  package var name: String { key.name }
  private let key: PreparedKey
  /// The store, or the standard one, whichever that is when the preference is used.
  package let reference: StoreReference
  /// The store that was standard when the preference was created, or the only one it is in.
  private let store: PreferencesStore
  /// The coder of the values.
  package let coder: PlistCoder<Value>
  /// Returns the default, which is read if nothing is stored or what is stored cannot be read.
  package let makeDefault: @Sendable () -> Value
  /// Whether all calls of ``makeDefault`` return equal values.
  private let hasFixedDefault: Bool
  private let state: TypedPreferenceState<Value>
  /// Converts what older programs have stored, once in each store.
  private let prepare: (@Sendable (TypedPreference) -> Void)?
  /// The latest value merged from a stored one and the default, which belongs to this preference
  /// alone.
  private let merged = Lock<Merged?>(nil)

  private struct Merged: @unchecked Sendable {
    // Sendable because copies of the value are independent.
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
    // Each reader decodes a copy of its own; a default that cannot be stored is shared by all.
    nonisolated(unsafe) let value = value
    let stored = ValueSemantics.areGuaranteed(for: value) ? nil : try? coder.encode(value)
    self.init(name, in: StoreReference(store), coder: coder, hasFixedDefault: true) {
      stored.flatMap { try? coder.decode($0) } ?? value
    }
    registerDefault()
  }

  /// Returns the same preference with a conversion of what older programs have stored. It is done
  /// now, and in each store that stands in for this one when the preference is first used there.
  package func preparing(_ prepare: @escaping @Sendable (TypedPreference) -> Void)
    -> TypedPreference
  {
    prepare(self)
    return TypedPreference(
      name, in: reference, coder: coder, hasFixedDefault: hasFixedDefault, prepare: prepare,
      default: makeDefault)
  }

  /// Returns the same preference in one store, which nothing stands in for.
  package func `in`(_ other: PreferencesStore) -> TypedPreference {
    if other === store, !reference.canChange { return self }
    return TypedPreference(
      name, in: StoreReference(fixed: other), coder: coder, hasFixedDefault: hasFixedDefault,
      prepare: prepare, default: makeDefault)
  }

  /// The same preference in the store that it has here and now, for what goes on elsewhere or later.
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

  /// Notifies the scopes that depend on the preference of its changes from now on.
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

  /// Returns the value of a stored one: decoded, merged with the default if that fails, or the
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

  @inline(never)
  private func cachedOrDecodedValue(of stored: PlistValue) -> Value {
    if coder.isCostly, let value = state.value(of: stored) ?? cachedMergedValue(of: stored) {
      return value
    }
    do throws(ValueConversionError) {
      let value = try coder.decode(stored)
      // Values with objects are decoded for each reader, which would share the objects otherwise.
      if coder.isCostly, ValueSemantics.areGuaranteed(for: value) { state.cache(value, of: stored) }
      return value
    } catch {
      if let value = argumentValue(of: stored) { return value }
      if isFrom(.registration, stored) { return makeDefault() }
      if let value = partialValue(of: stored) { return value }
      if state.recordFailure(of: stored) { report(.read, error, of: stored) }
      return mergeWithDefault(stored) ?? makeDefault()
    }
  }

  /// Returns the elements of a stored collection that can be decoded, and reports the others; nil
  /// if none can be.
  private func partialValue(of stored: PlistValue) -> Value? {
    guard let partial = coder.partial else { return nil }
    var unreadable: [UnreadableElement] = []
    let decoded = try? partial.decode(stored, &unreadable)
    let new = state.recordFailures(of: unreadable)
    // The error of the whole value is reported instead.
    guard let value = decoded else { return nil }
    if ValueSemantics.areGuaranteed(for: value) {
      state.cache(value, of: stored, isComplete: false)
    }
    for element in new { report(.read, element.error, of: element.stored) }
    return value
  }

  /// Returns the cached value merged from a stored one and the default; nil if there is none.
  private func cachedMergedValue(of stored: PlistValue) -> Value? {
    guard let cached = merged.withLock({ $0 }), cached.stored == stored else { return nil }
    return cached.value
  }

  /// Merges a stored value with the default, and caches the result; returns nil if they cannot be
  /// merged.
  private func mergeWithDefault(_ stored: PlistValue) -> Value? {
    guard let merge = coder.merge else { return nil }
    guard let value = merge(makeDefault(), stored) else { return nil }
    if hasFixedDefault, ValueSemantics.areGuaranteed(for: value) {
      var new: Merged? = Merged(value: value, stored: stored)
      // The old value is released outside of the lock.
      merged.withLock { swap(&$0, &new) }
    }
    return value
  }

  /// Returns the value that a string of the argument domain, which has nothing but strings, stands
  /// for; nil if it stands for none of the type.
  private func argumentValue(of stored: PlistValue) -> Value? {
    guard isFrom(.argument, stored) else { return nil }
    for reading in ValueText.readings(of: stored) {
      if let value = try? coder.decode(reading) { return value }
    }
    return nil
  }

  /// Returns whether a stored value comes from a layer. A value of the registration domain that
  /// cannot be read was registered by a preference of another type.
  private func isFrom(_ kind: PreferencesLayer.Kind, _ stored: PlistValue) -> Bool {
    guard let origin = store.origin(forKey: name) else { return false }
    return origin.layer.kind == kind && origin.value == stored
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

  /// Stores a value, unless the stored value is equal. If that fails, the error is reported, and what
  /// is stored stays.
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
  /// - Throws: ``TypedPreferenceError`` if it cannot be stored, or if the store refuses it; what is
  ///   stored stays.
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

  /// Whether the store has an equal value. Its stored form may be another one, which stays.
  private func hasStored(_ new: PlistValue?) -> Bool {
    coder.areEquivalent != nil && coder.isSame(store.ownValue(forKey: name), new)
  }

  /// Removes the value from the store's own domain.
  package func remove() {
    reference.store.removeObject(forKey: name)
  }

  /// Encodes a value, with the elements of what it replaces that cannot be decoded.
  private func encodeReplacement(_ value: Value) throws(ValueConversionError) -> PlistValue? {
    guard let partial = coder.partial else { return try encode(value) }
    guard let plist = try encode(value) else { return nil }
    // Values of the command line and of the administrator only hide what is replaced.
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
  ///
  /// - Parameter stored: The stored value that cannot be read.
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

  /// Returns whether a change of the store only replaces a stored form by another one of an equal
  /// value.
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

/// The distinction between values that threads can share, because copies are independent, and
/// others.
private enum ValueSemantics {
  /// Returns whether a value holds no instance of a class, so that its copies share nothing
  /// mutable.
  ///
  /// The answer is false if in doubt.
  static func areGuaranteed(for value: Any) -> Bool {
    if type(of: value) is AnyClass { return false }
    if value is any StandardType { return true }
    let mirror = Mirror(reflecting: value)
    // A custom mirror may hide children; those of collections and optionals do not.
    if value is any CustomReflectable, !(value is any Collection), mirror.displayStyle != .optional
    {
      return false
    }
    // Functions and pointers have no display style.
    guard let style = mirror.displayStyle, style != .class, style != .foreignReference else {
      return false
    }
    return mirror.children.allSatisfy { areGuaranteed(for: $0.value) }
  }
}

extension TypedPreference {
  /// A publisher of the value, in the store that it has here: of the current one, and then of each
  /// new one, also within a closure that suppresses notifications.
  package func publisher() -> AnyPublisher<Value, Never> {
    AnyPublisher { [resolved] subscriber in
      let observation = resolved.observe { subscriber.receive($0) }
      return AnyCancellable { observation.cancel() }
    }
  }
}
