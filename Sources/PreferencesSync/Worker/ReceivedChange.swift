/// A change of a key that was received from the remote store.
enum ReceivedChange: Sendable {
  /// An entry was put.
  case put(RemoteEntry)
  /// The entry was removed, at this revision or before.
  case removal(revision: Int64)

  /// Whether the entry was removed.
  var isRemoval: Bool {
    if case .removal = self { true } else { false }
  }
}
