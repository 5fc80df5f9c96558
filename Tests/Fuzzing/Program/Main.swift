import Foundation
import FuzzTargets
import Glibc

/// Runs a target: with libFuzzer if the program is built for it, otherwise with single files.
///
///     Fuzzer TARGET FILE...
///     Fuzzer TARGET [CORPUS...] [OPTIONS OF LIBFUZZER]
///     Fuzzer
///
/// Without arguments it lists the targets. If an input violates an invariant, the process prints a
/// line that begins with `differs:` to standard error and aborts.
@main
struct Main {
  static func main() throws {
    var arguments = CommandLine.arguments
    guard arguments.count > 1 else {
      for target in FuzzTarget.all { print(target.name) }
      return
    }
    if FuzzTarget.named(arguments[1]) != nil {
      // libFuzzer starts the program again, with its own options alone.
      setenv(targetVariable, arguments.remove(at: 1), 1)
    }
    guard target != nil else { fatalError("there is no target \(arguments[1])") }
    #if FUZZING
      var pointers: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
      var count = CInt(arguments.count)
      let status = pointers.withUnsafeMutableBufferPointer { pointers in
        var base = pointers.baseAddress
        return runDriver(&count, &base) { bytes, count in
          check(bytes.map { Data(bytes: $0, count: count) } ?? Data())
          return 0
        }
      }
      exit(status)
    #else
      for file in arguments.dropFirst() {
        check(try Data(contentsOf: URL(filePath: file)))
      }
    #endif
  }
}

/// The environment variable with the name of the target.
private let targetVariable = "LARDER_FUZZ_TARGET"

private let target = getenv(targetVariable).flatMap { FuzzTarget.named(String(cString: $0)) }

/// Aborts the process if an input violates an invariant.
private func check(_ data: Data) {
  do {
    try target?.check(data)
  } catch {
    FileHandle.standardError.write(Data("differs: \(error)\n".utf8))
    abort()
  }
}

#if FUZZING
  /// libFuzzer's entry for programs with a main function.
  @_silgen_name("LLVMFuzzerRunDriver")
  private func runDriver(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
    _ check: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
  ) -> CInt
#endif
