internal import CommandLineInterface
internal import PropertyList

extension Output {
  /// An output format of `-convert`, `-extract` and `-create`.
  enum Format: Equatable {
    case propertyList(PlistFormat)
    case literal(LiteralLanguage)
    /// The text of a value without quotes or markup.
    case raw

    /// The formats that a verb accepts.
    enum Choice {
      /// The formats of property lists, and source code.
      case documents
      /// All of these, and raw text.
      case values

      fileprivate var others: [(name: String, format: Format)] {
        switch self {
        case .documents: [("swift", .literal(.swift)), ("objc", .literal(.objectiveC))]
        case .values: Self.documents.others + [("raw", .raw)]
        }
      }
    }

    /// The names of the formats on the command line.
    static func names(of choice: Choice) -> [String] {
      PlistFormat.commandLineNames + choice.others.map(\.name)
    }

    /// The format of a name on the command line.
    init(_ name: String, of choice: Choice) throws(UsageError) {
      if let other = choice.others.first(where: { $0.name == name }) {
        self = other.format
      } else if let format = PlistFormat(commandLineName: name) {
        self = .propertyList(format)
      } else {
        throw UsageError(
          unknown: "format specifier", name,
          expected: Self.names(of: choice))
      }
    }
  }
}
