import Foundation

/// Python's plistlib in a process that measures itself, if Python is installed.
struct PlistlibCodec: CodecPeer {
  let name = CodecPeerName.plistlib
  private let client: LineClient

  init() throws {
    client = try LineClient("plistlib", with: Self.program(), ["-c", Self.script])
  }

  /// Returns the path of the interpreter.
  static func program() throws -> URL {
    guard let program = Executables.find("python3") else {
      throw BenchmarkError("python3 is not installed")
    }
    return program
  }

  /// Returns the version of Python, which includes plistlib.
  func version() throws -> String { try client.request("version - 0 -") }

  func timer(
    _ operation: CodecOperation, _ document: SampleDocument
  ) throws -> ((Int) throws -> Double)? {
    client.timer(operation, document)
  }

  /// The server of a ``LineClient``. It retains the document of the last request.
  private static let script = """
    import platform, plistlib, sys, time

    formats = {"xml": plistlib.FMT_XML, "binary": plistlib.FMT_BINARY}
    kept = data = value = None
    for line in sys.stdin:
        verb, name, count, path = line.rstrip("\\n").split(" ", 3)
        if verb == "version":
            print(platform.python_version(), flush=True)
            continue
        try:
            if kept != (verb, path):
                with open(path, "rb") as file:
                    data = file.read()
                value = plistlib.loads(data) if verb == "write" else None
                kept = verb, path
            count = range(int(count))
            start = time.process_time_ns()
            if verb == "read":
                for _ in count:
                    plistlib.loads(data, fmt=formats[name])
            else:
                for _ in count:
                    plistlib.dumps(value, fmt=formats[name])
            print(time.process_time_ns() - start, flush=True)
        except Exception as error:
            print(type(error).__name__, flush=True)
    """
}
