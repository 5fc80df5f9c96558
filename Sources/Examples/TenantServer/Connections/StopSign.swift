import Glibc

/// Stops all threads at once, including threads that wait for a client: they also wait for this
/// descriptor.
final class StopSign: Sendable {
  private let ends: (read: Int32, write: Int32)

  init() throws {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw Failure(system: "pipe") }
    self.ends = (ends[0], ends[1])
  }

  /// Closes the pipe, which all threads notice.
  func show() { close(ends.write) }

  /// Waits until a descriptor can be read.
  ///
  /// - Returns: Whether the threads may continue.
  func allowsReading(_ descriptor: Int32) -> Bool {
    var waits = [descriptor, ends.read].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    while poll(&waits, 2, -1) < 0, errno == EINTR {}
    return waits[1].revents == 0
  }

  /// Waits a moment.
  ///
  /// - Returns: Whether the threads may continue.
  func allowsPause(milliseconds: Int32) -> Bool {
    var wait = pollfd(fd: ends.read, events: Int16(POLLIN), revents: 0)
    return poll(&wait, 1, milliseconds) == 0
  }
}
