/// The script of the page, made of its modules.
enum PageScript {
  /// The modules in an order in which each comes after those that it imports.
  private static let modules = [
    PackageResources.text_js, PackageResources.model_js, PackageResources.virtual_list_js,
    PackageResources.tree_view_js, PackageResources.search_js, PackageResources.bytes_view_js,
    PackageResources.details_js, PackageResources.source_view_js, PackageResources.main_js,
  ]

  /// The modules as one script: modules in a page cannot import one another without addresses.
  /// Their imports and the words `export` are left out, so that all names are those of one script.
  static var text: [UInt8] {
    var text: [UInt8] = []
    for module in modules {
      for line in module.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
        if line.starts(with: "import ".utf8) { continue }
        text += line.starts(with: "export ".utf8) ? line.dropFirst(7) : line
        text.append(UInt8(ascii: "\n"))
      }
    }
    return text
  }
}
