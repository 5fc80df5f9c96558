internal import Glibc

/// Whether observers that ask for it hear of what a thread changes.
package enum Propagation {
  /// How many calls of ``mute(_:)`` this thread is in.
  private static let depth: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key, nil)
    return key
  }()

  /// Whether this thread mutes what it changes.
  static var isMuted: Bool { pthread_getspecific(depth) != nil }

  /// Does something, of whose changes those observers are not told, whichever thread would tell them.
  package static func mute<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let outer = pthread_getspecific(depth)
    pthread_setspecific(depth, UnsafeRawPointer(bitPattern: UInt(bitPattern: outer) + 1))
    defer { pthread_setspecific(depth, outer) }
    return try body()
  }
}
