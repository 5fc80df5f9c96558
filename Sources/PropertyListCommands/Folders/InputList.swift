internal import CommandLineInterface
internal import FileStorage
internal import FoundationEssentials
internal import PropertyList

/// The property lists that a command line names, by files and by folders.
struct InputList {
  struct Item: Sendable {
    let input: InputFile
    /// Whether the file was found in a folder, and not named itself. It may then not be a property
    /// list.
    let isFound: Bool
  }

  let items: [Item]
  let hasFolders: Bool

  /// Lists the files, and reports folders that cannot be listed.
  init(of invocation: Invocation, in session: Session, recordsLines: Bool = false)
    throws(UsageError)
  {
    var items: [Item] = []
    var hasFolders = false
    for input in try InputFile.all(of: invocation) {
      var options = input.options
      options.recordsLines = recordsLines
      guard !input.isStandardInput, FolderListing.kind(of: input.operand) == .folder else {
        items.append(
          Item(input: InputFile(operand: input.operand, options: options), isFound: false))
        continue
      }
      hasFolders = true
      let walk = session.withProgress("listing \(input.name)") {
        FolderWalk(input.operand, isWhole: invocation.has(.allFiles))
      }
      for (path, message) in walk.failures { session.report(message, about: path) }
      items += walk.paths.map {
        Item(input: InputFile(operand: $0, options: options), isFound: true)
      }
    }
    (self.items, self.hasFolders) = (items, hasFolders)
  }

  /// Reads the files on several threads, and passes on the results, in order.
  ///
  /// - Parameters:
  ///   - activity: The activity, as a terminal shows it: `checking`.
  ///   - body: Makes a result of a file, on another thread. Of the files in folders it gets those
  ///     that are likely to be property lists.
  ///   - consume: Receives the result, or why the property list cannot be read.
  func forEach<Value: Sendable>(
    _ activity: String, in session: Session,
    _ body: @escaping @Sendable (InputFile) throws(InputProblem) -> Value,
    consume: (Item, Result<Value, InputProblem>) -> Void
  ) {
    let items = items
    let only = items.count == 1 ? items.first?.input : nil
    session.withProgress(
      only.map { "reading \($0.name)" } ?? "\(activity) \(items.count) files",
      waitsForInput: only?.isStandardInput ?? false
    ) {
      ParallelWork.run(items.count) { index in
        Self.result(of: items[index], body)
      } consume: { index, result in
        if let result { consume(items[index], result) }
        if items.count > 1 {
          session.describeProgress("\(activity) file \(index + 1) of \(items.count)")
        }
      }
    }
  }

  /// The result for a file; nil for one in a folder that is not a property list.
  private static func result<Value: Sendable>(
    of item: Item, _ body: @Sendable (InputFile) throws(InputProblem) -> Value
  ) -> Result<Value, InputProblem>? {
    do throws(InputProblem) {
      if item.isFound, !(try PropertyListFiles.isLikely(at: item.input.operand)) { return nil }
      return .success(try body(item.input))
    } catch {
      return .failure(error)
    }
  }
}
