import Foundation

/// Forks of the test process.
package enum TestFork {
  /// Forks, ends the child at once, and waits for it.
  package static func make() {
    // Swift marks fork as unavailable.
    let function = dlsym(nil, "fork")
    let child = unsafeBitCast(function, to: (@convention(c) () -> pid_t).self)()
    if child == 0 { _exit(0) }
    waitpid(child, nil, 0)
  }
}
