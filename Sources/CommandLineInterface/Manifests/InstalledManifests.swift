internal import FileStorage
internal import Glibc
package import Manifests
package import PropertyList

package struct ManifestFile: Sendable {
  package let path: String
  /// The manifest, prepared for checks.
  package let checker: ManifestChecker

  package var manifest: PreferencesManifest { checker.manifest }

  package init(_ manifest: PreferencesManifest, at path: String) {
    self.path = path
    checker = ManifestChecker(manifest)
  }
}

/// The manifests that programs have installed (``ManifestFolders``).
package struct InstalledManifests: Sendable {
  package var folders: [String] { search.paths }

  private let search: ManifestFolders

  /// The manifests in the folders that the environment names.
  package init(root: String = "") {
    search = ManifestFolders(root: root) { Environment.value(of: $0) }
  }

  /// The manifest of a domain, if any.
  ///
  /// - Throws: The reason if the first file found cannot be read. Later files are not tried.
  package func manifest(forDomain domain: String) throws(CommandFailure) -> ManifestFile? {
    guard let path = search.files(forDomain: domain).first(where: { access($0, F_OK) == 0 }) else {
      return nil
    }
    return try CommandFailure.wrapping(path) {
      let value = try InputFile(operand: path).load().document.value
      return ManifestFile(try PreferencesManifest(value), at: path)
    }
  }

  /// The manifest for a file whose name is its domain, if any.
  package func manifest(
    for value: PlistValue, in file: InputFile
  ) throws(CommandFailure) -> ManifestFile? {
    guard value.kind == .dictionary, !PreferencesManifest.isManifest(value),
      !file.isStandardInput
    else { return nil }
    let name = FilePath.split(file.operand).name
    return try manifest(forDomain: name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name)
  }

  /// The sorted names of the domains with manifests.
  package var domains: [String] {
    let names = search.paths.flatMap { folder in
      (try? FolderListing.files(in: folder) { ManifestFolders.domain(ofFile: $0) != nil }) ?? []
    }
    return Set(names.compactMap { ManifestFolders.domain(ofFile: $0) }).sorted()
  }
}
