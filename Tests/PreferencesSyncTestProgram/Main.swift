import Foundation
import Preferences
import PreferencesSync
import PreferencesSyncTesting

/// Sets keys that cannot be uploaded until it is killed: `PreferencesSyncTestProgram <store> <state
/// file> <number of keys>`.
///
/// It prints each number that it has set, once that is saved, and all failures except failed
/// uploads. See ``ManagedProgram`` for what it does with `managed` as its first argument.
@main
struct Main {
  static func main() async throws {
    let arguments = CommandLine.arguments
    if arguments.count == 4, arguments[1] == "managed", let count = Int(arguments[3]) {
      return try await ManagedProgram.run(arguments[2], count, print: printLine)
    }
    try setKeys(arguments)
  }

  private static func setKeys(_ arguments: [String]) throws {
    guard arguments.count == 4, let count = Int(arguments[3]) else {
      throw CocoaError(.featureUnsupported)
    }
    let store = PreferencesStore(fileAt: arguments[1])
    let remote = InMemoryRemoteStore()
    remote.isReachable = false
    let synchronizer = PreferencesSynchronizer(
      store: store, remote: remote, stateFileAt: arguments[2])
    synchronizer.onFailure { error in
      if case .remote = error { return }
      printLine("\(error)")
    }
    synchronizer.add((0..<count).map { "k\($0)" })
    for number in 0... {
      store.set(number, forKey: "k\(number % count)")
      try store.flush()
      printLine("\(number)")
    }
    withExtendedLifetime(synchronizer) {}
  }

  /// Prints a line without buffering.
  private static func printLine(_ line: String) {
    FileHandle.standardOutput.write(Data("\(line)\n".utf8))
  }
}
