internal import Glibc

package enum StandardError {
  /// Writes what fits at once to the program's standard error. A reader that has gone or is slow
  /// must not end or block the program.
  package static func write(_ line: String) {
    var descriptor = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
    guard poll(&descriptor, 1, 0) == 1, descriptor.revents & Int16(POLLOUT) != 0 else { return }
    var (pipe, old, pending) = (sigset_t(), sigset_t(), sigset_t())
    sigemptyset(&pipe)
    sigaddset(&pipe, SIGPIPE)
    sigpending(&pending)
    pthread_sigmask(SIG_BLOCK, &pipe, &old)
    var text = line
    let count = text.withUTF8 { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
    if count < 0, errno == EPIPE, sigismember(&pending, SIGPIPE) == 0 {
      var none = timespec()
      _ = sigtimedwait(&pipe, nil, &none)
    }
    pthread_sigmask(SIG_SETMASK, &old, nil)
  }
}
