import Foundation

/// The documents, peers and options of the codec benchmark.
struct CodecWorkspace {
  let options: BenchmarkOptions
  let peers: CodecPeers
  let documents: [SampleDocument]

  /// Creates all documents.
  init(_ options: BenchmarkOptions) throws {
    self.options = options
    peers = try CodecPeers(rustPlist: options.rustPlist)
    documents = try SampleDocuments.recipes.map { recipe in
      Terminal.show("creating \(recipe.name)")
      return try SampleDocument(
        recipe.name, recipe.make(), keyOrder: recipe.keyOrder, in: options.folder)
    }
  }

  var folder: String { options.folder }
  var budget: Budget { options.budget }

  /// Returns the document with a name.
  func document(_ name: String) throws -> SampleDocument {
    guard let document = documents.first(where: { $0.name == name }) else {
      throw BenchmarkError("there is no document \(name)")
    }
    return document
  }
}
