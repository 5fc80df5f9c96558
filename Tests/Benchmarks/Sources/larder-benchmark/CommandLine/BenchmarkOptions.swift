import Foundation

/// The number of samples and the minimum length of one, which makes the cost of reading the clock
/// negligible.
typealias Pace = (rounds: Int, nanoseconds: Double)

/// The options of a command line.
struct BenchmarkOptions {
  /// Whether to take fewer and shorter samples.
  var isQuick = false
  /// A group is measured if its name contains one of these words. If there are no words, all groups
  /// are measured.
  var words: [String] = []
  /// The folder for temporary files.
  let folder: String
  /// Whether to measure a debug build.
  var allowsDebug = false
  /// The file to write the results to.
  var json: String?
  /// The folder of the programs that are measured; nil for this program's.
  var programs: String?
  /// The program that measures rust-plist; nil leaves it out.
  var rustPlist: String?

  /// Parses the arguments behind the verb: a folder and options.
  ///
  /// - Parameters:
  ///   - groups: The names of the groups. `--only` must choose some.
  ///   - hasReports: Whether results can be written to files.
  init(_ arguments: [String], groups: [String], hasReports: Bool = false) throws {
    var arguments = arguments[...]
    guard let folder = arguments.popFirst() else { throw UsageError("a folder is missing") }
    self.folder = folder
    func value(of option: String) throws -> String {
      guard let value = arguments.popFirst() else { throw UsageError("\(option) needs a value") }
      return value
    }
    while let argument = arguments.popFirst() {
      switch argument {
      case "--quick": isQuick = true
      case "--only": words.append(try value(of: argument))
      case "--allow-debug": allowsDebug = true
      case "--json" where hasReports: json = try value(of: argument)
      case "--programs": programs = try value(of: argument)
      case "--rust-plist" where hasReports: rustPlist = try value(of: argument)
      default: throw UsageError("unknown option \(argument)")
      }
    }
    guard words.isEmpty || groups.contains(where: includes) else {
      throw UsageError("no group name contains \(words.joined(separator: " or "))")
    }
    guard allowsDebug || !Machine.isDebugBuild else {
      throw BenchmarkError(
        "this is a debug build, whose times are meaningless: build with -c release, "
          + "or pass --allow-debug")
    }
  }

  /// The number and length of samples of short operations.
  var pace: Pace { isQuick ? (5, 500_000) : (31, 10_000_000) }

  /// The number and length of samples of operations of any length.
  var budget: Budget {
    isQuick
      ? Budget(rounds: 1...5, nanoseconds: 100_000_000, sample: 500_000)
      : Budget(rounds: 3...31, nanoseconds: 1_000_000_000, sample: 10_000_000)
  }

  /// Returns the path of a program that is measured.
  func program(_ name: String) throws -> String {
    let folder = programs.map { URL(fileURLWithPath: $0, isDirectory: true) }
    let place = folder?.appendingPathComponent(name) ?? Executables.own
    guard let program = Executables.find(name, beside: place) else {
      throw BenchmarkError(
        "there is no \(name) in \(place.deletingLastPathComponent().path): pass --programs")
    }
    return program.path
  }

  /// Returns whether the options choose a group.
  func includes(_ group: String) -> Bool {
    words.isEmpty || words.contains { group.contains($0) }
  }
}
