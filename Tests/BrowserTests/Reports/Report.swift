import Foundation
import PropertyList
import TestSupport
import Testing

/// A page that `plutil -inspect` has made, in a browser.
struct Report {
  let folder: TemporaryFolder
  let page: Page

  /// A page that is open.
  init(folder: TemporaryFolder, page: Page) {
    self.folder = folder
    self.page = page
  }

  /// Writes files, and opens the page about them.
  ///
  /// - Parameter arguments: The arguments after `-inspect`; nil for the names of the files in order.
  init(
    _ files: KeyValuePairs<String, Data>, arguments: [String]? = nil, width: Int = 1280,
    height: Int = 900
  ) async throws {
    folder = try TemporaryFolder()
    for (name, data) in files { try folder.write(data, to: name) }
    let arguments = arguments ?? files.map(\.key)
    try await Self.run("plutil", ["-inspect", "-o", "report.html"] + arguments, in: folder)
    page = try await Page(width: width, height: height)
    try await page.open(folder.path("report.html"))
    try await page.wait(until: Self.isReady)
  }

  /// Whether the page shows its first document.
  static let isReady = "document.querySelector('[role=treeitem], [role=alert]')"

  /// Runs a program that was built with the tests, apart from the threads of tasks.
  static func run(
    _ program: String, _ arguments: [String], in folder: TemporaryFolder,
    environment: [String: String] = [:]
  ) async throws {
    var program = BuiltProgram(program)
    program.environment = environment
    let run = try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread { [program] in
        continuation.resume(with: Result { try program.run(arguments, in: folder) })
      }
    }
    try #require(run.status == 0, "\(arguments): \(run.error)")
  }
}

/// The document of a format with a value.
func document(_ value: PlistValue, _ format: PlistFormat = .xml) throws -> Data {
  try Plist.write(value, as: format)
}
