import Foundation

/// The peak memory of a Python that reads a document.
enum PlistlibMemory {
  /// - Parameter isRead: Whether the document is read or only loaded.
  /// - Returns: Bytes.
  static func peak(_ path: String, isRead: Bool) throws -> Double {
    let output = try ChildProcess(
      ["-c", script, path, isRead ? "read" : "load"], of: PlistlibCodec.program().path, isRead: true
    ).waitForOutput()
    guard let kibibytes = Double(output.trimmingCharacters(in: .whitespacesAndNewlines)) else {
      throw BenchmarkError("python3 says \(output)")
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
