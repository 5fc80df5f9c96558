internal import Preferences
internal import PreferencesSync

/// The locations of the synchronizers' state files.
enum SyncStateFiles {
  /// The default folder: `larder/sync` in the XDG state folder.
  static var defaultFolder: String {
    UserFolders.standard.state + "/larder/sync"
  }

  /// Returns the path of the state file for the domain of a store, which may be a path itself.
  static func path(forDomain domain: String, in folder: String) -> String {
    folder + "/" + PreferencesSynchronizer.stateFileName(forDomain: domain)
  }
}
