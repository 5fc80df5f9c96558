/// The distinction between values that threads can share, because copies are independent, and
/// others.
enum ValueSemantics {
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
