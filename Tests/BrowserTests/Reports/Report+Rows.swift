/// The rows of the tree that the page has elements for.
extension Report {
  struct Row: Decodable, Equatable {
    var label: String
    var type: String
    var value: String
    var level: Int
    /// Whether what is in it is shown; nil if there is nothing in it.
    var isExpanded: Bool?
    var isSelected: Bool
  }

  func rows() async throws -> [Row] {
    try await page.run(
      """
      const texts = (row, name) => row.querySelector(name)?.textContent ?? '';
      return [...document.querySelectorAll('#tree [role=treeitem]')].map(row => ({
        label: texts(row, '.label'), type: texts(row, '.type'), value: texts(row, '.value'),
        level: Number(row.getAttribute('aria-level')),
        ...(row.hasAttribute('aria-expanded')
          ? { isExpanded: row.getAttribute('aria-expanded') === 'true' } : {}),
        isSelected: row.getAttribute('aria-selected') === 'true',
      }));
      """)
  }

  /// The labels of the rows.
  func labels() async throws -> [String] { try await rows().map(\.label) }

  /// The label of the selected row.
  func selected() async throws -> String? {
    try await rows().first { $0.isSelected }?.label
  }

  /// An expression of the page for the row with a label.
  func row(_ label: String) -> String {
    """
    [...document.querySelectorAll('#tree [role=treeitem]')]
      .find(row => row.querySelector('.label').textContent === '\(label)')
    """
  }

  /// The text of an element.
  func text(of selector: String) async throws -> String {
    try await page.run("return document.querySelector('\(selector)')?.textContent ?? ''")
  }
}
