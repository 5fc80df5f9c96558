/// The result of a put to a remote store.
public enum RemotePutResult: Sendable, Hashable {
  /// The data was stored with this revision.
  case stored(revision: Int64)
  /// Nothing was stored, because the current entry is not the one that the put was to replace; nil
  /// if there is no entry.
  case conflict(current: RemoteEntry?)
}
