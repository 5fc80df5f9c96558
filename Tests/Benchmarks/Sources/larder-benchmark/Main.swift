import Foundation

/// Measures Larder beside what it is to be compared with, and the limits of the machine.
///
/// Times decide nothing: the exit status is 0 whatever they are. It is 1 when something of the store
/// could not be measured or a count is above its ceiling, and 2 for a command line that cannot be
/// understood.
@main
enum LarderBenchmark {
  static func main() {
    let arguments = Array(CommandLine.arguments.dropFirst())
    guard let name = arguments.first, name != "--help" else {
      print(help)
      exit(arguments.isEmpty ? 2 : 0)
    }
    guard let verb = verbs[name] else {
      Terminal.report("there is no \(name); --help tells what there is")
      exit(2)
    }
    do {
      exit(try verb(Array(arguments.dropFirst())))
    } catch let error as UsageError {
      Terminal.report("\(error.description); --help tells what there is")
      exit(2)
    } catch {
      Terminal.report("\(error)")
      exit(1)
    }
  }

  /// What can be asked for. What `help` does not tell is for processes of this program alone.
  private static let verbs: [String: @Sendable ([String]) throws -> Int32] = [
    "store": StoreBenchmark.supervise,
    "store-within": StoreBenchmark.run,
    "open-larder": OpenProcess.larder,
    "open-foundation": OpenProcess.foundation,
    "save-changes": ChangeWriter.run,
    "codec": CodecBenchmark.supervise,
    "codec-within": CodecBenchmark.run,
    "codec-process": CodecProcess.run,
    "find-once": KeyPathMeasurements.run,
    "read-once": MemoryProcess.run,
    "counts": CountBenchmark.supervise,
    "counts-within": CountBenchmark.run,
    "count": CountedProcess.run,
  ]

  private static let help = """
    usage: larder-benchmark store|codec|counts [options]

    store             the preferences store, beside Foundation's UserDefaults and raw limits
    codec             reading and writing property lists, beside other libraries and raw limits
    counts            instructions and allocations of the codec, under valgrind; fails where one
                      is above its ceiling

    --quick           take few and short samples, which tell little
    --only WORD       measure only the groups with the word in their names, which are
                      store: \(StoreBenchmark.groups.map(\.name).joined(separator: ", "));
                      codec: \(CodecBenchmark.groups.map(\.name).joined(separator: ", "))
    --folder FOLDER   where to put files; the disk that it lies on is what the store is measured on
    --json FILE       write what the codec's measurements find, with all versions and sizes
    --chart FILE      draw them as SVG
    --plutil FILE     the plutil to measure; otherwise one beside this program
    --allow-debug     measure a debug build after all, which tells nothing
    """
}
