internal import CommandLineInterface
internal import FileStorage
internal import FoundationEssentials
internal import PropertyList

/// The rules for finding property lists among other files.
enum PropertyListDetection {
  /// The extensions of files that are property lists, whatever is in them.
  static let extensions: Set<String> = [
    "plist", "strings", "stringsdict", "entitlements", "pbxproj", "xcprivacy", "mobileconfig",
    "mobileprovision", "provisionprofile", "webloc", "loctable",
  ]

  /// How much of a file tells whether it is a property list.
  private static let beginning = 1024

  /// Whether a file is a property list by its extension or its first bytes. OpenStep text and JSON
  /// have no first bytes of their own, so that only the extension tells them.
  static func isLikely(at path: String) throws(InputProblem) -> Bool {
    if extensions.contains(fileExtension(of: path).lowercased()) { return true }
    do throws(FileSystemError) {
      return Plist.hasSignature(try AtomicFile.readBeginning(path, limit: beginning))
    } catch {
      throw .file("\(error)")
    }
  }

  /// The part of a file's name after its last dot; empty if there is none.
  static func fileExtension(of path: String) -> String {
    let name = name(of: path)
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return "" }
    return String(name[name.index(after: dot)...])
  }

  static func name(of path: String) -> String { FilePath.split(path).name }
}
