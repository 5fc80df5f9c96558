package import Preferences
package import PropertyList
internal import Threading

/// A preference with a type: a key of a store, how its values are stored, and what it is where none is.
///
/// It is what the front ends have in common: reading, storing, falling back on the default and telling of
/// that, and observing.
package final class TypedPreference<Value>: Sendable {
  /// The key.
  package var name: String { key.name }
  private let key: PreparedKey
  /// The store.
  package let store: PreferencesStore
  /// How values are stored.
  package let coder: PlistCoder<Value>
  /// What is read where nothing is stored, or nothing that makes sense.
  package let makeDefault: @Sendable () -> Value
  /// Whether each call of ``makeDefault`` gives the same.
  private let hasFixedDefault: Bool
  private let state: TypedState<Value>
  /// What has been made of a stored value and the default; each preference may have another.
  private let merged = Lock<Merged?>(nil)

  private struct Merged: @unchecked Sendable {
    // Sendable because each copy of the value is one of its own.
    var value: Value
    var stored: PlistValue
  }

  private init(
    _ name: String, in store: PreferencesStore, coder: PlistCoder<Value>, hasFixedDefault: Bool,
    default makeDefault: @escaping @Sendable () -> Value
  ) {
    key = PreparedKey(name)
    self.store = store
    self.coder = coder
    self.hasFixedDefault = hasFixedDefault
    self.makeDefault = makeDefault
    state = .of(name, in: store)
  }

  /// A preference of a store, whose default is made anew whenever it is needed.
  package convenience init(
    _ name: String, in store: PreferencesStore, coder: PlistCoder<Value>,
    default makeDefault: @escaping @Sendable () -> Value
  ) {
    self.init(name, in: store, coder: coder, hasFixedDefault: false, default: makeDefault)
  }

  /// A preference of a store with a default, which is registered with it where it can be stored.
  package convenience init(
    _ name: String, in store: PreferencesStore, coder: PlistCoder<Value>, default value: Value
  ) {
    // Each reader gets one of its own. Only of what cannot be stored all get the same.
    nonisolated(unsafe) let value = value
    let stored = ValueSemantics.hold(for: value) ? nil : try? coder.encode(value)
    self.init(name, in: store, coder: coder, hasFixedDefault: true) {
      stored.flatMap { try? coder.decode($0) } ?? value
    }
    registerDefault()
  }

  /// The same preference in another store.
  package func `in`(_ other: PreferencesStore) -> TypedPreference {
    if other === store { return self }
    return TypedPreference(
      name, in: other, coder: coder, hasFixedDefault: hasFixedDefault, default: makeDefault)
  }

  private func registerDefault() {
    do throws(ValueConversionError) {
      if let plist = try encode(makeDefault()) { store.register(defaults: [name: plist]) }
    } catch {
      report(.store, error)
    }
  }

  // MARK: Reading

  /// The value, or the default where there is none or it cannot be read, which is reported once for each
  /// value that is stored.
  package var value: Value {
    state.tracking.access(in: store)
    return value(of: store.plistValue(for: key))
  }

  /// What a stored value is; where it cannot be read, what it makes of the default, or the default, as
  /// where there is none.
  ///
  /// Here is no more than what native types need: whatever else a function mentions of generic types it
  /// would find at each call.
  @inline(__always)
  package func value(of stored: PlistValue?) -> Value {
    guard let stored else { return makeDefault() }
    if coder.isCostly { return costlyValue(of: stored) }
    do throws(ValueConversionError) {
      return try coder.decode(stored)
    } catch {
      return costlyValue(of: stored)
    }
  }

  @inline(never)
  private func costlyValue(of stored: PlistValue) -> Value {
    if coder.isCostly, let value = state.value(of: stored) ?? knownMerged(of: stored) {
      return value
    }
    do throws(ValueConversionError) {
      let value = try coder.decode(stored)
      // The next one who reads it gets the same value, unless they would share an object then.
      if coder.isCostly, ValueSemantics.hold(for: value) { state.keep(value, of: stored) }
      return value
    } catch {
      if let value = argumentValue(of: stored) { return value }
      if isFrom(.registration, stored) { return makeDefault() }
      if state.noteFailure(of: stored) { report(.read, error) }
      return mergedValue(of: stored) ?? makeDefault()
    }
  }

  /// The value that has been made of a stored one and the default.
  private func knownMerged(of stored: PlistValue) -> Value? {
    guard let known = merged.withLock({ $0 }), known.stored == stored else { return nil }
    return known.value
  }

  /// What a stored value makes of the default.
  private func mergedValue(of stored: PlistValue) -> Value? {
    guard let merge = coder.merge else { return nil }
    guard let value = merge(makeDefault(), stored) else { return nil }
    if hasFixedDefault, ValueSemantics.hold(for: value) {
      var new: Merged? = Merged(value: value, stored: stored)
      // The old one is let go of when the lock is not held any more.
      merged.withLock { swap(&$0, &new) }
    }
    return value
  }

  /// What the command line gives may mean where it is none of the type's as it is: it has nothing but
  /// strings.
  private func argumentValue(of stored: PlistValue) -> Value? {
    guard isFrom(.argument, stored) else { return nil }
    for reading in ArgumentText.readings(of: stored) {
      if let value = try? coder.decode(reading) { return value }
    }
    return nil
  }

  /// Whether a stored value comes from a layer. One that registration has and that cannot be read was
  /// registered by a key of another type.
  private func isFrom(_ kind: PreferencesLayer.Kind, _ stored: PlistValue) -> Bool {
    guard let origin = store.origin(forKey: name) else { return false }
    return origin.layer.kind == kind && origin.value == stored
  }

  /// The value, or the default where there is none.
  ///
  /// - Throws: Why what is stored cannot be read. Of what a value lacks the default is not asked then.
  package func load() throws(TypedPreferenceError) -> Value {
    state.tracking.access(in: store)
    guard let stored = store.plistValue(for: key) else { return makeDefault() }
    do throws(ValueConversionError) {
      return try coder.decode(stored)
    } catch {
      if let value = argumentValue(of: stored) { return value }
      if isFrom(.registration, stored) { return makeDefault() }
      throw failure(.read, error)
    }
  }

  // MARK: Storing

  /// Stores a value, or reports why that is not possible, and leaves what is stored.
  package func set(_ value: Value) {
    do throws(TypedPreferenceError) {
      try save(value)
    } catch {
      FailureHandlers.report(error)
    }
  }

  /// Stores a value.
  ///
  /// - Throws: Why it cannot be stored; what was stored before is left.
  package func save(_ value: Value) throws(TypedPreferenceError) {
    do throws(ValueConversionError) {
      store.put(try encode(value), forKey: name)
    } catch {
      throw failure(.store, error)
    }
  }

  /// Removes what is stored in the store's own domain.
  package func remove() {
    store.removeObject(forKey: name)
  }

  private func encode(_ value: Value) throws(ValueConversionError) -> PlistValue? {
    guard let plist = try coder.encode(value) else { return nil }
    do throws(PreferencesError) {
      try plist.checkStorable()
    } catch {
      throw ValueConversionError(.coding("\(error)"))
    }
    return plist
  }

  // MARK: Failures

  private func failure(
    _ operation: TypedPreferenceError.Operation, _ reason: ValueConversionError
  ) -> TypedPreferenceError {
    TypedPreferenceError(domain: store.domain, key: name, operation: operation, reason: reason)
  }

  /// Tells of something that was not possible.
  package func report(_ operation: TypedPreferenceError.Operation, _ reason: ValueConversionError) {
    FailureHandlers.report(failure(operation, reason))
  }

  // MARK: Observing

  /// Calls the closure with each change of the value, as ``PreferencesStore/observe(_:initial:_:)`` does.
  ///
  /// - Parameters:
  ///   - initial: Whether it is first called, before this returns, with a change from the present value
  ///     to the same.
  ///   - includesSuppressed: Whether it hears of what is changed within ``Propagation/suppressNotifications(_:)``.
  package func observe(
    initial: Bool = false, includesSuppressed: Bool = true,
    _ handler: @escaping @Sendable (TypedChange<Value>) -> Void
  ) -> PreferencesObservation {
    store.observe([name], initial: initial, includesSuppressed: includesSuppressed) { [self] change in
      handler(
        TypedChange(
          oldValue: value(of: change.oldValue), newValue: value(of: change.newValue)))
    }
  }
}

/// Publishing.
extension TypedPreference {
  /// The present value, and then each one that it becomes.
  ///
  /// - Parameter includesSuppressed: Whether it publishes what is changed within ``Propagation/suppressNotifications(_:)``.
  package func publisher(includesSuppressed: Bool = true) -> AnyPublisher<Value, Never> {
    AnyPublisher { [self] subscriber in
      let observation = observe(initial: true, includesSuppressed: includesSuppressed) { change in
        subscriber.receiveValue(change.newValue)
      }
      return AnyCancellable { observation.cancel() }
    }
  }
}
