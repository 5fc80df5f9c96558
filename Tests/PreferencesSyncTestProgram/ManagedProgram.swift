import Preferences
import PreferencesSync
import PreferencesSyncTesting
import PropertyList

/// Publishes managed values and replicates them until it is killed: `managed <folder> <number of
/// keys>`.
///
/// All keys of the domain have the same number at any time. The program prints each number before it
/// publishes it, and `done` with the number once that is in the file.
enum ManagedProgram {
  static let domain = "org.example.app"

  static func run(_ folder: String, _ count: Int, print: (String) -> Void) async throws {
    let remote = InMemoryRemoteStore()
    let replica = ManagedPreferencesReplica(
      remote: remote, locations: DomainLocations(within: folder),
      stateFileAt: folder + "/state.plist")
    for number in 0... {
      var values = PlistDictionary()
      for key in 0..<count { values["k\(key)"] = .integer(Int64(number)) }
      print("\(number)")
      _ = try await ManagedPreferences.publish(values, domain: domain, to: remote)
      try await replica.waitForCompletion()
      print("done \(number)")
    }
  }
}
