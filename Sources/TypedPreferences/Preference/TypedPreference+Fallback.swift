internal import Preferences
internal import PropertyList
internal import Threading

/// What is read if the stored value has another type or is damaged: a part of it, the default merged
/// with it, or the default.
extension TypedPreference {
  @inline(never)
  func cachedOrDecodedValue(of stored: PlistValue) -> Value {
    if coder.isCostly, let value = state.value(of: stored) ?? cachedMergedValue(of: stored) {
      return value
    }
    do throws(ValueConversionError) {
      let value = try coder.decode(stored)
      // Values with objects are decoded for each reader; otherwise readers would share the objects.
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
      // The old value is released outside the lock.
      merged.withLock { swap(&$0, &new) }
    }
    return value
  }

  /// Returns the value that a string of the argument domain, which has only strings, represents;
  /// nil if it does not represent a value of the type.
  func argumentValue(of stored: PlistValue) -> Value? {
    guard isFrom(.argument, stored) else { return nil }
    for reading in Coercion.readings(of: stored) {
      if let value = try? coder.decode(reading) { return value }
    }
    return nil
  }

  /// Returns whether a stored value comes from a layer. A value of the registration domain that
  /// cannot be read was registered by a preference of another type.
  func isFrom(_ kind: PreferencesLayer.Kind, _ stored: PlistValue) -> Bool {
    guard let origin = store.origin(forKey: name) else { return false }
    return origin.layer.kind == kind && origin.value == stored
  }
}

/// Distinguishes values that threads can share, because copies are independent, from others.
enum ValueSemantics {
  /// Returns whether a value contains no instance of a class, so that its copies share nothing
  /// mutable.
  ///
  /// Returns false when in doubt.
  static func areGuaranteed(for value: Any) -> Bool {
    if type(of: value) is AnyClass { return false }
    if value is any StandardType { return true }
    let mirror = Mirror(reflecting: value)
    // A custom mirror may hide children; mirrors of collections and optionals do not.
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
