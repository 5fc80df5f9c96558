import Foundation
import Preferences
import PropertyList

extension Main {
  /// `flush-until-saved <key> <value>` sets a key and saves it. If saving fails, it prints the error,
  /// waits for a line, and tries again; in the end it prints `saved`.
  func flushUntilSaved() {
    // Only when asked.
    PreferencesStore.runtimeConfiguration.commitDelay = .seconds(3600)
    store.set(arguments[1], forKey: arguments[0])
    while true {
      do {
        try store.flush()
        return say("saved")
      } catch {
        say("\(error)")
        waitForLine()
      }
    }
  }

  /// `survive-kills <count>` starts that many processes, one after another. Each sets and saves
  /// keys without end and reports them, and is killed after a random time, every other one after
  /// its first report. The command prints a line for every acknowledged value that is not in the
  /// file afterwards and for every file that cannot be read, and finally `killed <count>
  /// acknowledged <count>`.
  func surviveKills() throws {
    // Swift marks fork as unavailable. No thread is running yet, and the store has not been used: a
    // child is like a new process.
    let fork = unsafeBitCast(dlsym(nil, "fork"), to: (@convention(c) () -> pid_t).self)
    let pipe = Pipe()
    let input = pipe.fileHandleForReading.fileDescriptor
    let output = pipe.fileHandleForWriting.fileDescriptor
    _ = fcntl(input, F_SETFL, O_NONBLOCK)
    let keys = 50
    var saved = Array(repeating: Int64(0), count: keys)
    var acknowledged = 0
    for round in 0..<number(0) {
      let first = saved.max()! + 1
      let child = fork()
      if child == 0 { saveWithoutEnd(from: first, keys: keys, to: output) }
      if round % 2 == 0 {
        // Once something is acknowledged.
        var poll = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
        while Glibc.poll(&poll, 1, -1) < 0 {}
      }
      usleep(UInt32.random(in: 0..<6_000))
      kill(child, SIGKILL)
      var status: Int32 = 0
      waitpid(child, &status, 0)
      if status & 0x7F != SIGKILL { say("the process ended by itself with \(status)") }

      var value = Int64(0)
      while read(input, &value, 8) == 8 {
        saved[Int(value) % keys] = value
        acknowledged += 1
      }
      guard FileManager.default.fileExists(atPath: path) || acknowledged > 0 else { continue }
      do {
        let data = try Data(contentsOf: URL(fileURLWithPath: path))
        guard case .dictionary(let values) = try Plist.read(data).value else {
          say("unreadable: no dictionary")
          continue
        }
        for (key, value) in saved.enumerated() {
          guard case .integer(let found) = values["key\(key)"] ?? .integer(0) else { continue }
          if found < value { say("lost: key\(key) is \(found) instead of \(value)") }
          // Saved, but not acknowledged before the kill.
          saved[key] = max(found, value)
        }
      } catch {
        say("unreadable: \(error)")
      }
    }
    say("killed \(number(0)) acknowledged \(acknowledged)")
  }

  private func saveWithoutEnd(from first: Int64, keys: Int, to output: Int32) -> Never {
    for value in first... {
      let size = Int(value) % 3000
      store.set(Int(value), forKey: "key\(Int(value) % keys)")
      store.set(String(repeating: "x", count: size), forKey: "padding")
      do {
        try store.flush()
      } catch {
        Self.fail("\(error)")
      }
      var value = value
      _ = write(output, &value, 8)
    }
    fatalError("the numbers have an end")
  }
}
