import Foundation
import Preferences
import PreferencesSync

/// A program that sets keys which cannot be uploaded, until it is killed: `PreferencesSyncTestProgram
/// <store> <queue> <number of keys>`. It tells each number that it has set, once that is saved.
@main
struct Main {
  static func main() throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 4, let count = Int(arguments[3]) else {
      throw CocoaError(.featureUnsupported)
    }
    let store = PreferencesStore(fileAt: arguments[1])
    let remote = InMemoryRemoteStore()
    remote.isReachable = false
    let synchronizer = PreferencesSynchronizer(store: store, remote: remote, queueAt: arguments[2])
    synchronizer.add((0..<count).map { "k\($0)" })
    for number in 0... {
      store.set(number, forKey: "k\(number % count)")
      try store.flush()
      FileHandle.standardOutput.write(Data("\(number)\n".utf8))
    }
    withExtendedLifetime(synchronizer) {}
  }
}
