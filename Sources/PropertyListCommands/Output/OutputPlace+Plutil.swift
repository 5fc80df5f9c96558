internal import CommandLineInterface
internal import FileStorage

extension OutputPlace {
  /// The place of a verb's output unless `-o` or `-e` is given.
  enum Default: Equatable {
    /// The input file itself; standard output for standard input.
    case inPlace
    case standardOutput
    /// A file beside the input, with this extension; standard output for standard input.
    case beside(String)
    /// The operand, which must not exist; standard output for `-`.
    case created
  }

  /// The place of an input's output: the file of `-o`, the file beside the input with the extension
  /// of `-e`, or else the default.
  init(of input: InputFile, for invocation: Invocation, default: Default) throws(UsageError) {
    let output = invocation.argument(of: .output)
    let ending = invocation.argument(of: .ending)
    switch (output, ending) {
    case (.some, .some): throw UsageError("-o and -e cannot be used together")
    case ("-"?, nil): self.init(named: "-")
    case (let path?, nil):
      guard invocation.operands.count == 1 else {
        throw UsageError("-o can only be used with one file; found \(invocation.operands.count)")
      }
      self.init(named: path)
    case (nil, let ending?):
      guard !input.isStandardInput else {
        throw UsageError("-e cannot be used with standard input; use -o to choose the output")
      }
      guard !input.isStream else { throw Self.noPlace(beside: input) }
      guard let first = ending.utf8.first, first != UInt8(ascii: "."),
        !ending.utf8.contains(UInt8(ascii: "/"))
      else { throw UsageError("-e needs an extension without a dot or slash, such as plist") }
      self = .file(Self.path(input.operand, withExtension: ending))
    case (nil, nil):
      switch `default` {
      case _ where input.isStandardInput: self = .standardOutput(isRequested: false)
      case .inPlace: self = .file(input.operand)
      case .standardOutput: self = .standardOutput(isRequested: false)
      case .beside where input.isStream: throw Self.noPlace(beside: input)
      case .beside(let ending): self = .unnamed(Self.path(input.operand, withExtension: ending))
      case .created: self = input.isStream ? .file(input.operand) : .unnamed(input.operand)
      }
    }
  }

  private static func noPlace(beside input: InputFile) -> UsageError {
    UsageError("\(input.name) is not a regular file; use -o to choose the output")
  }

  /// A new file that `-o` could name.
  private static func unnamed(_ path: String) -> OutputPlace {
    .newFile(path, remedy: "use -o \(path) to replace it")
  }

  /// The place of a header file that belongs to this source file; nil for standard output,
  /// devices and descriptors.
  var header: OutputPlace? {
    guard let path, SpecialFile(path) == nil else { return nil }
    return .newFile(
      Self.path(path, withExtension: "h"), remedy: "remove it first to write it again")
  }

  /// The path with the extension of its last component replaced, or added if it has none.
  private static func path(_ path: String, withExtension ending: String) -> String {
    FilePath.splitExtension(of: path).stem + "." + ending
  }
}
