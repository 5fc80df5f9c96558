import Foundation

/// The documents, peers and options of the codec benchmark.
struct CodecWorkspace {
  /// The folder for temporary files.
  let folder: String
  let options: BenchmarkOptions
  let peers: CodecPeers
  let documents: [SampleDocument]

  /// Creates all documents.
  init(folder: String, options: BenchmarkOptions) throws {
    self.folder = folder
    self.options = options
    peers = try CodecPeers(rustPlist: options.rustPlist)
    documents = try SampleDocuments.recipes.map { recipe in
      Terminal.show("creating \(recipe.name)")
      return try SampleDocument(
        recipe.name, recipe.make(), keyOrder: recipe.keyOrder, in: folder)
    }
  }

  var budget: Budget { options.budget }

  /// Returns the document with a name.
  func document(_ name: String) throws -> SampleDocument {
    guard let document = documents.first(where: { $0.name == name }) else {
      throw BenchmarkError("there is no document \(name)")
    }
    return document
  }
}
