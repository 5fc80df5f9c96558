/// A shell that can complete command lines.
package enum Shell: String, Sendable, Hashable, CaseIterable {
  case bash
  case zsh
  case fish
}
