package import PropertyList

/// A layer's values and the state of its file.
package struct LayerContents: Sendable {
  package let layer: PreferencesLayer
  /// The values of the layer; empty for a file that cannot be read.
  package let values: PlistDictionary
  /// The format of the file; nil if there is no file that can be read.
  package let format: PlistFormat?
  /// Why the file cannot be read or is ignored.
  package let problem: PreferencesError?
}

extension PreferencesStore {
  /// All layers, in search order.
  package var layerContents: [LayerContents] {
    searchList.entries.map { entry in
      // The values are read first, which loads the file.
      LayerContents(
        layer: entry.layer, values: entry.allValues, format: entry.file?.format,
        problem: entry.file?.problem)
    }
  }

  /// The path of a file's last good copy in a folder (``Options/lastGoodFolder``).
  package static func lastGoodCopy(of path: String, in folder: String) -> String {
    DomainFile.copyPath(of: path, in: folder)
  }
}
