import Glibc

/// The system call that Swift marks as unavailable, since most libraries do not work in the child.
/// Larder does: the child may use stores that the parent has opened.
enum Fork {
  /// Forks.
  ///
  /// - Returns: 0 in the child, its process in the parent, and -1 if there can be no other process.
  static func make() -> pid_t {
    unsafeBitCast(dlsym(nil, "fork"), to: (@convention(c) () -> pid_t).self)()
  }
}
