package import PropertyList

/// The contents of a layer, with the state of its file.
package struct LayerContents: Sendable {
  package let layer: PreferencesLayer
  /// The values. A file that cannot be read has none.
  package let values: PlistDictionary
  /// The format of the file; nil if there is none, or it cannot be read.
  package let format: PlistFormat?
  /// Why the file cannot be read, or is ignored.
  package let problem: PreferencesError?
}

extension PreferencesStore {
  /// The contents of all layers, in search order.
  package var layerContents: [LayerContents] {
    searchList.entries.map { entry in
      let values = entry.allValues
      guard case .file(let file) = entry.source else {
        return LayerContents(layer: entry.layer, values: values, format: nil, problem: nil)
      }
      return LayerContents(
        layer: entry.layer, values: values, format: file.format, problem: file.problem)
    }
  }

  /// The path at which a store that keeps copies of the last good contents in a folder keeps the one
  /// of a file (``Options/lastGoodFolder``).
  package static func lastGoodCopy(of path: String, in folder: String) -> String {
    DomainFile.copyPath(of: path, in: folder)
  }
}
