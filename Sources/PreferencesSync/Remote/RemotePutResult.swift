/// What became of a put to a remote store.
public enum RemotePutResult: Sendable, Hashable {
  /// It took place and got this revision.
  case stored(revision: Int64)
  /// It did not take place, for the store holds another entry than the one that was to be replaced; nil
  /// where it holds none.
  case refused(RemoteEntry?)
}
