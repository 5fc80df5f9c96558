import Foundation

/// A domain in a page that `defaults inspect` has made.
struct InspectedDomain: Decodable, Equatable {
  struct Layer: Decodable, Equatable {
    var name: String
    var facts: [[String]]
    var error: String?

    func fact(_ label: String) -> String? { facts.first { $0[0] == label }?[1] }
  }

  struct Tree: Decodable, Equatable {
    var types: String
    var keys: [String]
    var names: [Int]
    var texts: [String]
    var layers: [String: Int]?
    var shadowed: [Int]?
  }

  struct Settings: Decodable, Equatable {
    struct Key: Decodable, Equatable {
      var path: [String]
      var value: String?
      var layer: Int?
      var isSet: Bool
      var differs: Bool
    }

    var title: String?
    var description: String?
    var keys: [Key]
  }

  var name: String
  var facts: [[String]]
  var layers: [Layer]
  var tree: Tree
  var settings: Settings?

  /// The layer of the user's own file.
  var user: Layer? { layers.first { $0.name == "user" } }

  /// The names of the layers of a key's values, the one that counts first.
  func origins(of key: String) -> [String] {
    tree.names.indices.filter { tree.names[$0] >= 0 && tree.keys[tree.names[$0]] == key }
      .compactMap { node in tree.layers?["\(node)"].map { layers[$0].name } }
  }

  /// The domains of a page.
  static func all(in page: Data) throws -> [InspectedDomain] {
    let text = String(decoding: page, as: UTF8.self)
    return try text.matches(of: #/<script type="application/json" id="document-\d+">([^<]*)</#)
      .map { try JSONDecoder().decode(InspectedDomain.self, from: Data($0.1.utf8)) }
  }
}
