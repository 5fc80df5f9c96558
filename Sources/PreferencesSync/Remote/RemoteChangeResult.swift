/// The result of a ``RemoteChange``.
public enum RemoteChangeResult: Sendable, Hashable {
  /// The data was stored, or the entry removed, with this revision.
  case stored(revision: Int64)
  /// Nothing has changed, because the current entry is not the one that the change was to replace;
  /// nil if there is no entry.
  case conflict(current: RemoteEntry?)
  /// Nothing has changed, because the store will never accept this data, for example because it is
  /// too large. It may accept other data for the same key.
  case rejected(reason: String)
}
