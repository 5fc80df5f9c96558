import Foundation

/// What the codec's measurements work with.
struct CodecWorkplace {
  /// A folder for files of their own.
  let folder: String
  let options: BenchmarkOptions
  let peers: CodecPeers
  let documents: [SampleDocument]

  /// Makes all documents.
  init(folder: String, options: BenchmarkOptions) throws {
    self.folder = folder
    self.options = options
    peers = try CodecPeers()
    documents = try SampleDocuments.recipes.map { recipe in
      Terminal.show("making \(recipe.name)")
      return try SampleDocument(recipe.name, recipe.make(), in: folder)
    }
  }

  var budget: Budget { options.budget }

  /// The document of a name, of which there is one.
  func document(_ name: String) throws -> SampleDocument {
    guard let document = documents.first(where: { $0.name == name }) else {
      throw BenchmarkError("there is no document \(name)")
    }
    return document
  }
}
