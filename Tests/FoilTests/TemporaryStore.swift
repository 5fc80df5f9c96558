import Foil
import PropertyList
import TestSupport

/// A store on a file in a new folder, which is removed when this is deallocated.
final class TemporaryStore: Sendable {
  private let folder: TemporaryFolder
  let store: PreferencesStore

  init(format: PlistFormat? = nil) throws {
    folder = try TemporaryFolder()
    store = PreferencesStore(fileAt: folder.path("store.plist"), format: format)
  }

  deinit {
    // Everything must be saved before the folder is removed.
    _ = try? store.flush()
  }

  /// Returns the text of the file.
  func text() throws -> String { try folder.text("store.plist") }

  /// Returns the contents of the file, as another process would read them.
  func read() throws -> PlistValue { try Plist.read(folder.data("store.plist")).value }

  /// Changes the contents of the file, as another process would.
  func rewrite(_ change: (inout PlistDictionary) -> Void) throws {
    guard case .dictionary(var values) = try read() else { return }
    change(&values)
    try folder.write(try Plist.write(.dictionary(values), as: .xml), to: "store.plist")
  }
}
