/// Whether a value can be given to several threads.
enum ValueSemantics {
  /// Whether no instance of a class is found within a value, so that each copy of it is one of its own.
  static func hold(for value: Any) -> Bool {
    if type(of: value) is AnyClass { return false }
    if value is any PlistStorable { return true }
    let mirror = Mirror(reflecting: value)
    // It says of itself what there is to see, which can be believed of collections and optionals.
    if value is any CustomReflectable, !(value is any Collection), mirror.displayStyle != .optional
    {
      return false
    }
    // Of functions and pointers nothing can be seen.
    guard let style = mirror.displayStyle, style != .class, style != .foreignReference else {
      return false
    }
    return mirror.children.allSatisfy { hold(for: $0.value) }
  }
}
