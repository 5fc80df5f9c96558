extension Int {
  /// The number with a noun, which gets an s unless there is one of it.
  func counted(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}
