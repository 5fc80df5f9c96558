internal import FileStorage
internal import Foundation

/// Where synchronization remembers what it knows.
enum SyncFolder {
  /// The folder for programs that name none.
  static var standard: String {
    let environment = ProcessInfo.processInfo.environment
    let state = environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    return (state ?? NSHomeDirectory() + "/.local/state") + "/larder/sync"
  }

  /// The path of the file for the domain of a store, which may be a path itself.
  static func path(of domain: String, in folder: String) -> String {
    let name = domain.replacing("%", with: "%25").replacing("/", with: "%2F")
    return folder + "/" + FileName.make("", name, ".plist")
  }
}
