#if Etcd
  import EtcdStore
  import Foundation
  import Preferences
  import PreferencesSync
  import PropertyList
  import Threading

  /// A store, its synchronizer, and the commands for them.
  final class Machine: Sendable {
    private let settings: Settings
    private let store: PreferencesStore
    private let remote: any RemoteStore
    private let synchronizer: PreferencesSynchronizer
    private let observation: PreferencesObservation?
    private let clockOffset: Lock<Double>

    init(_ settings: Settings) throws {
      self.settings = settings
      let offset = Lock(settings.clockOffset)
      clockOffset = offset
      store = PreferencesStore(fileAt: settings.folder + "/store.plist")
      observation =
        settings.isQuiet
        ? nil
        : store.observe(settings.keys, initial: true) { change in
          Self.print("observed \(Self.time) \(change.key)\(Self.suffix(change.newValue))")
        }
      let cluster = try EtcdStore(settings.cluster)
      remote = settings.collects ? cluster.partition("values/") : cluster
      synchronizer = PreferencesSynchronizer(
        store: store, remote: remote,
        registry: settings.collects ? cluster.partition("registry/") : nil,
        stateFileAt: settings.folder + "/state.plist",
        options: settings.synchronizer, now: { Date.now + offset.withLock { $0 } })
      synchronizer.onFailure { Self.print("failure \($0)") }
      synchronizer.add(settings.keys)
    }

    /// Ends the synchronizer.
    func end() {
      synchronizer.cancel()
      observation?.cancel()
      try? store.flush()
    }

    // MARK: Commands

    /// Executes a line: a command and its arguments, separated by spaces.
    func execute(_ line: String) throws {
      let words = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
      let arguments = Array(words.dropFirst())
      switch (words[0], arguments.count) {
      case ("set", 3...):
        set(arguments[2...].joined(separator: " "), forKey: arguments[1], write: arguments[0])
      case ("remove", 2): remove(arguments[1], write: arguments[0])
      case ("clock", 1): clockOffset.withLock { $0 = Double(arguments[0]) ?? 0 }
      case ("disk", 1): setDisk(isFull: arguments[0] == "full")
      case ("wait", 1): wait(arguments[0])
      case ("values", 0): printValues()
      case ("remote", 0): printRemote()
      case ("storm", 4): try storm(arguments)
      case ("fill", 1): try fill(arguments[0])
      case ("usage", 0):
        Self.print("usage \(ProcessUsage.residentKilobytes) \(ProcessUsage.descriptors)")
      default: throw CocoaError(.featureUnsupported)
      }
    }

    private func set(_ value: String, forKey key: String, write: String) {
      let start = Self.time
      store.set(value, forKey: key)
      save(write, since: start)
    }

    private func remove(_ key: String, write: String) {
      let start = Self.time
      if store.plistValue(forKey: key) == nil { return Self.print("skipped \(write)") }
      store.removeObject(forKey: key)
      save(write, since: start)
    }

    /// Saves the store, and prints the time before a write, or that it is not saved yet: a process that
    /// was paused may have given up waiting for the lock.
    private func save(_ write: String, since start: UInt64) {
      do {
        try store.flush()
        Self.print("saved \(write) \(start)")
      } catch {
        Self.print("unsaved \(write) \(error)")
      }
    }

    /// Lets all writes to files fail, or none.
    private func setDisk(isFull: Bool) {
      signal(SIGXFSZ, SIG_IGN)
      let resource = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
      var limit = rlimit()
      getrlimit(resource, &limit)
      limit.rlim_cur = isFull ? 0 : limit.rlim_max
      setrlimit(resource, &limit)
    }

    /// Waits for completion, and prints it.
    private func wait(_ name: String) {
      Task { [synchronizer] in
        do {
          try await synchronizer.waitForCompletion()
          Self.print("completed \(name) \(Self.time)")
        } catch {
          Self.print("failed \(name) \(error)")
        }
      }
    }

    /// Prints the values of all keys in the store.
    private func printValues() {
      for key in settings.keys {
        Self.print("value \(key)\(Self.suffix(store.plistValue(forKey: key)))")
      }
      Self.print("end values")
    }

    /// Prints the values of all keys in the cluster.
    private func printRemote() {
      Task { [remote] in
        do {
          for entry in try await remote.entries().entries {
            Self.print("value \(entry.key)\(Self.suffix(try SyncRecord(entry.data).value))")
          }
          Self.print("end remote")
        } catch {
          Self.print("failed remote \(error)")
        }
      }
    }

    /// Sets values of a name to the keys with a prefix in turn, one every few milliseconds, every
    /// fifth to a key that only this machine sets, and prints when all are saved: `storm <name>
    /// <prefix> <keys> <count>`.
    private func storm(_ arguments: [String]) throws {
      guard let keyCount = Int(arguments[2]), let count = Int(arguments[3]) else {
        throw CocoaError(.featureUnsupported)
      }
      for number in 0..<count {
        let key =
          number % 5 == 4 ? "own\(arguments[0])" : "\(arguments[1])\(number % keyCount)"
        store.set("\(number) of \(arguments[0])", forKey: key)
        usleep(3000)
      }
      try store.flush()
      Self.print("stormed \(arguments[0])")
    }

    /// Sets all keys to values of a name.
    private func fill(_ name: String) throws {
      for key in settings.keys { store.set("\(name) of \(key)", forKey: key) }
      try store.flush()
      Self.print("filled \(name)")
    }

    // MARK: Output

    /// The time of the monotonic clock, in nanoseconds, which all processes of a machine share.
    private static var time: UInt64 {
      var time = timespec()
      clock_gettime(CLOCK_MONOTONIC, &time)
      return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    private static func suffix(_ value: PlistValue?) -> String {
      switch value {
      case nil: ""
      case .string(let text): " \(text)"
      case .some(let other): " \(other)"
      }
    }

    /// Prints a line at once.
    private static func print(_ line: String) {
      FileHandle.standardOutput.write(Data("\(line)\n".utf8))
    }
  }
#endif
