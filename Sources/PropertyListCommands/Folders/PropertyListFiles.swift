internal import CommandLineInterface
internal import FileStorage
internal import FoundationEssentials
internal import PropertyList

/// The rules for finding property lists among other files.
enum PropertyListFiles {
  /// The extensions of files that are property lists, whatever is in them.
  static let extensions: Set<String> = [
    "plist", "strings", "stringsdict", "entitlements", "pbxproj", "xcprivacy", "mobileconfig",
    "mobileprovision", "provisionprofile", "webloc", "loctable",
  ]

  /// The number of bytes at the start of a file that are read to recognize a property list.
  private static let beginning = 1024

  /// Whether a file is a property list by its extension or its first bytes. OpenStep text and JSON
  /// have no characteristic first bytes, so only the extension identifies them.
  static func isLikely(at path: String) throws(InputProblem) -> Bool {
    if extensions.contains(FilePath.fileExtension(of: path).lowercased()) { return true }
    do throws(FileSystemError) {
      return Plist.hasSignature(try AtomicFile.readBeginning(path, limit: beginning))
    } catch {
      throw .file("\(error)")
    }
  }
}
