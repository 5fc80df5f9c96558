extension [String] {
  /// The words as a sentence lists alternatives: `a, b or c`.
  package var alternatives: String {
    count > 1 ? "\(dropLast().joined(separator: ", ")) or \(self[count - 1])" : first ?? ""
  }
}
