internal import FoundationEssentials
internal import PropertyList

/// A machine's note in the registry: the revision up to which it has seen all changes.
struct MachineMark: Sendable, Equatable {
  /// The revision.
  var revision: Int64
  /// When the machine noted it.
  var date: Date
}

extension MachineMark {
  private enum Name {
    static let revision = "revision"
    static let date = "date"
  }

  /// Decodes a mark; nil if it is invalid.
  init?(_ data: Data) {
    guard let values = RegistryCoding.dictionary(data), case .date(let date)? = values[Name.date],
      case .integer(let revision)? = values[Name.revision]
    else { return nil }
    self.init(revision: revision, date: date)
  }

  /// The encoded mark.
  var data: Data? {
    RegistryCoding.data([Name.revision: .integer(revision), Name.date: .date(date)])
  }
}

/// The encoding of what is in a registry: dictionaries as binary property lists.
enum RegistryCoding {
  private static let limits: PlistLimits = {
    var limits = PlistLimits()
    limits.maximumSize = 4096
    limits.maximumNodeCount = 100
    return limits
  }()

  static func dictionary(_ data: Data) -> PlistDictionary? {
    var options = PlistReadOptions()
    options.limits = limits
    guard let content = try? Plist.read(data, as: .binary, options: options).value,
      case .dictionary(let values) = content
    else { return nil }
    return values
  }

  static func data(_ values: PlistDictionary) -> Data? {
    try? Plist.write(.dictionary(values), as: .binary)
  }
}
