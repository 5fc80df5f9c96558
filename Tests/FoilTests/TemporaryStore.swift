import Foil
import PropertyList
import TestSupport

/// A store on a file in a folder of its own, which is removed with the object.
final class TemporaryStore: Sendable {
  private let folder: TemporaryFolder
  let store: PreferencesStore

  init(format: PlistFormat? = nil) throws {
    folder = try TemporaryFolder()
    store = PreferencesStore(fileAt: folder.path("store.plist"), format: format)
  }

  deinit {
    // The background shall find nothing to save when the folder has gone.
    _ = try? store.flush()
  }

  /// What the file says.
  func text() throws -> String { try folder.text("store.plist") }

  /// What the file says, as another process would read it.
  func read() throws -> PlistValue { try Plist.read(folder.data("store.plist")).value }

  /// Changes what the file says, as another process does.
  func rewrite(_ change: (inout PlistDictionary) -> Void) throws {
    guard case .dictionary(var values) = try read() else { return }
    change(&values)
    try folder.write(try Plist.write(.dictionary(values), as: .xml), to: "store.plist")
  }
}
