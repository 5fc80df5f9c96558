import Foundation

/// Measures the peak memory of whole processes that convert a file: plutil, and plistutil of
/// libplist.
enum CommandMemoryMeasurements {
  static func measure(_ workspace: CodecWorkspace, _ findings: inout Findings) throws {
    let own = try workspace.options.program("plutil")
    guard let peer = Executables.find("plistutil")?.path else {
      throw BenchmarkError("plistutil is not installed: apt-get install libplist-utils")
    }
    let output = workspace.folder + "/converted"
    for document in workspace.documents where document.xml.count > 1_000_000 {
      for source in DocumentFormat.allCases {
        let input = document.path(source)
        let commands = [
          (
            "Larder",
            [own, "-convert", source == .xml ? "binary1" : "xml1", "-o", output, input]
          ),
          (
            "plistutil",
            [peer, "-i", input, "-o", output, "-f", source == .xml ? "bin" : "xml"]
          ),
        ]
        let title = "\(document.name) from \(source.title)"
        Terminal.show("command-memory, \(title)")
        let peaks = try commands.map { name, command in
          Timing(
            name: name,
            samples: try (0..<(workspace.options.isQuick ? 1 : 3)).map { _ in try peak(command) })
        }
        findings.addComparison(title, peaks, unit: .bytes) { _ in .atLeast(1) }
      }
    }
  }

  /// Returns the peak memory of a command in bytes.
  ///
  /// The kernel includes the memory of the process that starts a command. Therefore a small process
  /// starts it: a shell that exits at once and leaves the command to Python.
  private static func peak(_ command: [String]) throws -> Double {
    let output = try ChildProcess(
      ["-c", script] + command, of: PlistlibCodec.program().path
    ).waitForOutput()
    guard let kibibytes = Double(output.trimmingCharacters(in: .whitespacesAndNewlines)) else {
      throw BenchmarkError("unexpected output of python3: \(output)")
    }
    return kibibytes * 1_024
  }

  private static let script = """
    import ctypes, os, sys

    command = sys.argv[1:]
    PR_SET_CHILD_SUBREAPER = 36
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    shell = os.posix_spawn("/bin/sh", ["sh", "-c", '"$@" & exit', "sh"] + command, os.environ)
    process = shell
    while process == shell:
        process, status, usage = os.wait4(-1, 0)
    if status != 0:
        sys.exit(command[0] + " failed")
    print(usage.ru_maxrss)
    """
}
