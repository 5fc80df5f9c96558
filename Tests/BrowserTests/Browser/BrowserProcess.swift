import Foundation
import TestSupport
import Threading

/// A process of Debian's chromium without windows, which is driven through its descriptors 3 and 4.
///
/// It ends with its last reference or with this process, and all processes that it has started with it.
final class BrowserProcess: Sendable {
  static let program = "/usr/bin/chromium"

  /// The socket to the browser: messages in both directions, each ended by a NUL.
  let socket: Int32
  /// The number of the process, and of the group of all that it has started.
  let identifier: pid_t
  private let folder: TemporaryFolder

  /// What went wrong with the browser.
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  init() throws {
    guard access(Self.program, X_OK) == 0 else {
      throw Failure(
        description: "\(Self.program) is missing; make browser-test installs it")
    }
    folder = try TemporaryFolder()
    var ends: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0
    else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    // Above the descriptor numbers that the browser gets.
    let theirs = fcntl(ends[1], F_DUPFD_CLOEXEC, 10)
    close(ends[1])
    defer { close(theirs) }
    socket = ends[0]

    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
    posix_spawn_file_actions_addopen(
      &actions, 2, folder.path("log"), O_WRONLY | O_CREAT | O_APPEND, 0o600)
    posix_spawn_file_actions_adddup2(&actions, theirs, 3)
    posix_spawn_file_actions_adddup2(&actions, theirs, 4)
    do {
      identifier = try ProcessStart.spawn(
        Self.program,
        Self.arguments + ["--user-data-dir=\(folder.path("profile"))", "about:blank"],
        in: folder,
        environment: [
          "HOME": folder.path, "TMPDIR": folder.path, "TZ": "Europe/Berlin", "LANG": "C.UTF-8",
        ],
        actions: &actions, flags: Int32(POSIX_SPAWN_SETPGROUP))
    } catch {
      close(socket)
      throw error
    }
    Self.running.withLock { running in
      if running.isEmpty { atexit { BrowserProcess.endAll() } }
      running[identifier] = folder.path
    }
  }

  /// Without a sandbox, because containers lack what it needs; without anything that uses a
  /// network; and without throttling pages in the background.
  private static let arguments = [
    "--headless=new", "--no-sandbox", "--remote-debugging-pipe", "--no-first-run", "--disable-gpu",
    "--disable-dev-shm-usage", "--disable-background-networking", "--disable-component-update",
    "--disable-sync", "--disable-extensions", "--disable-breakpad", "--password-store=basic",
    "--force-color-profile=srgb", "--lang=en-US", "--host-resolver-rules=MAP * ~NOTFOUND",
    "--disable-background-timer-throttling", "--disable-renderer-backgrounding",
    "--disable-backgrounding-occluded-windows",
  ]

  deinit {
    end()
    close(socket)
  }

  /// What the browser has printed.
  var log: String { (try? folder.text("log")) ?? "" }

  // MARK: End

  /// The browsers that have not been ended, and their folders.
  private static let running = Lock<[pid_t: String]>([:])

  /// Ends the browser with all its processes.
  func end() {
    guard Self.running.withLock({ $0.removeValue(forKey: identifier) }) != nil else { return }
    Self.end(identifier)
  }

  /// When this process ends, ends the remaining browsers and removes their folders, whose objects
  /// are not released then.
  private static func endAll() {
    for (process, folder) in running.withLock({ $0 }) {
      end(process)
      // The last of its processes may still be writing.
      for _ in 0..<100 where access(folder, F_OK) == 0 {
        try? FileManager.default.removeItem(atPath: folder)
        usleep(1000)
      }
    }
  }

  private static func end(_ process: pid_t) {
    kill(-process, SIGKILL)
    while waitpid(process, nil, 0) < 0, errno == EINTR {}
  }
}
