/// What the command line asks for.
struct BenchmarkOptions {
  /// Whether to take few and short samples.
  var isQuick = false
  /// Words one of which has to be in the name of a group; all groups where there are none.
  var words: [String] = []
  /// Where to make a folder for files; nil for wherever there is a disk.
  var folder: String?
  /// Whether a debug build may be measured.
  var allowsDebug = false
  /// Files to write the results to: as JSON and as a picture.
  var json: String?
  var chart: String?
  /// The plutil to measure; nil for one beside this program.
  var plutil: String?

  /// - Parameter hasReports: Whether results can be written to files.
  init(_ arguments: [String], hasReports: Bool = false) throws {
    var arguments = arguments[...]
    func value(of option: String) throws -> String {
      guard let value = arguments.popFirst() else { throw UsageError("\(option) needs a value") }
      return value
    }
    while let argument = arguments.popFirst() {
      switch argument {
      case "--quick": isQuick = true
      case "--only": words.append(try value(of: argument))
      case "--folder": folder = try value(of: argument)
      case "--allow-debug": allowsDebug = true
      case "--json" where hasReports: json = try value(of: argument)
      case "--chart" where hasReports: chart = try value(of: argument)
      case "--plutil" where hasReports: plutil = try value(of: argument)
      default: throw UsageError("\(argument) is not understood")
      }
    }
  }

  /// How samples are taken of what is short.
  var pace: Pace {
    isQuick
      ? Pace(rounds: 5, nanoseconds: 500_000)
      : Pace(rounds: 31, nanoseconds: 10_000_000)
  }

  /// How long is sampled what may take very long.
  var budget: Budget {
    isQuick
      ? Budget(rounds: 1...5, nanoseconds: 100_000_000, sample: 500_000)
      : Budget(rounds: 3...31, nanoseconds: 1_000_000_000, sample: 10_000_000)
  }

  /// Whether a group is asked for.
  func includes(_ group: String) -> Bool {
    words.isEmpty || words.contains { group.contains($0) }
  }

  /// Refuses words that are in the name of no group.
  func checkWords(_ groups: [String]) throws {
    guard !groups.contains(where: includes) else { return }
    throw UsageError("no group has \(words.joined(separator: " or ")) in its name")
  }

  /// Refuses a build that is not optimized.
  func checkBuild() throws {
    guard Machine.isDebugBuild, !allowsDebug else { return }
    throw BenchmarkError(
      "this is a debug build, the times of which tell nothing: build with -c release, "
        + "or say --allow-debug")
  }
}
