import Foundation

/// Measures Larder, the implementations that it is compared with, and the raw limits of the
/// machine.
///
/// The exit status is 0 whatever the times are, 1 if a measurement of the store failed or a count
/// exceeds its ceiling, and 2 for an invalid command line.
@main
enum LarderBenchmark {
  static func main() {
    let arguments = Array(CommandLine.arguments.dropFirst())
    guard let name = arguments.first, name != "--help" else {
      print(help)
      exit(arguments.isEmpty ? 2 : 0)
    }
    guard let verb = verbs[name] else {
      Terminal.report("unknown benchmark \(name); see --help")
      exit(2)
    }
    do {
      exit(try verb(Array(arguments.dropFirst())))
    } catch let error as UsageError {
      Terminal.report("\(error.description); see --help")
      exit(2)
    } catch {
      Terminal.report("\(error)")
      exit(1)
    }
  }

  /// The verbs. Those that `help` omits are for child processes of this program.
  private static let verbs: [String: @Sendable ([String]) throws -> Int32] = [
    "store": StoreBenchmark.run,
    "open-larder": OpenProcess.larder,
    "open-foundation": OpenProcess.foundation,
    "save-changes": ChangeWriter.run,
    "write-keys": WriterProcess.larder,
    "append-lines": WriterProcess.systemCalls,
    "codec": CodecBenchmark.run,
    "codec-process": CodecProcess.run,
    "find-once": KeyPathMeasurements.run,
    "read-once": MemoryProcess.run,
    "counts": CountBenchmark.run,
    "count": CountedProcess.run,
  ]

  private static let help = """
    usage: larder-benchmark store|codec|counts FOLDER [options]

    FOLDER is for temporary files, on the disk to measure; the script in-folder makes one.

    store             measure the preferences store, compared with Foundation's UserDefaults and
                      raw limits
    codec             measure reading and writing property lists, compared with other libraries
                      and raw limits
    counts            count instructions and allocations of the codec under valgrind; fails if a
                      count exceeds its ceiling

    --quick           take fewer and shorter samples, for a rough idea
    --only WORD       measure only groups whose names contain WORD; can be repeated. The groups are
                      store: \(StoreBenchmark.groups.map(\.name).joined(separator: ", "));
                      codec: \(CodecBenchmark.groups.map(\.name).joined(separator: ", "))
    --json FILE       codec: write all results, versions and sizes to FILE as JSON
    --programs FOLDER measure the programs in FOLDER instead of those next to this program
    --rust-plist FILE codec: measure rust-plist with FILE, the program that `make bench` builds
    --allow-debug     measure a debug build, whose times are meaningless
    """
}
