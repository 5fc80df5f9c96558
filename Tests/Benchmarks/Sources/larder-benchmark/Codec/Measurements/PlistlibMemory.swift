import Foundation

/// Measures the peak memory of Python while it reads a document.
enum PlistlibMemory {
  /// Returns the peak memory in bytes.
  ///
  /// - Parameter parses: Whether the document is parsed or only loaded.
  static func peak(_ path: String, parses: Bool) throws -> Double {
    let output = try ChildProcess(
      ["-c", script, path, parses ? "read" : "load"], of: PlistlibCodec.program().path
    ).waitForOutput()
    guard let kibibytes = Double(output.trimmingCharacters(in: .whitespacesAndNewlines)) else {
      throw BenchmarkError("unexpected output of python3: \(output)")
    }
    return kibibytes * 1_024
  }

  private static let script = """
    import plistlib, re, sys

    with open(sys.argv[1], "rb") as file:
        data = file.read()
    if sys.argv[2] == "read":
        value = plistlib.loads(data)
    with open("/proc/self/status") as status:
        print(re.search(r"VmHWM:\\s*(\\d+)", status.read())[1])
    """
}
