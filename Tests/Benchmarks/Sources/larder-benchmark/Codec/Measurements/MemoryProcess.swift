import Foundation
import PropertyList

/// The process that reads a document once and prints its peak memory.
enum MemoryProcess {
  /// The library that reads the document.
  enum Reader: String, CaseIterable {
    case none
    case larder = "Larder"
    case foundation = "Foundation"
    case larderStructs = "Larder, structs"
    case foundationStructs = "Foundation, structs"
    case libplist
  }

  /// Returns the peak memory, in bytes, of a process that reads a file.
  static func peak(_ reader: Reader, _ path: String) throws -> Double {
    let output = try ChildProcess(["read-once", reader.rawValue, path])
      .waitForOutput()
    guard let bytes = Double(output.trimmingCharacters(in: .whitespacesAndNewlines)) else {
      throw BenchmarkError("unexpected output of the process: \(output)")
    }
    return bytes
  }

  /// Reads the file named by the second argument with the reader named by the first, and prints the
  /// peak memory in bytes.
  static func run(_ arguments: [String]) throws -> Int32 {
    guard arguments.count == 2, let reader = Reader(rawValue: arguments[0]) else {
      throw UsageError("read-once requires a reader and a file")
    }
    let data = try Data(contentsOf: URL(fileURLWithPath: arguments[1]))
    let format: DocumentFormat = data.starts(with: "bplist".utf8) ? .binary : .xml
    switch reader {
    case .none: break
    case .larder: consume(try Plist.read(data))
    case .foundation: consume(try FoundationCodec.read(data))
    case .larderStructs: consume(try PlistDecoder().decode(MediaLibrary.self, from: data))
    case .foundationStructs:
      consume(try PropertyListDecoder().decode(MediaLibrary.self, from: data))
    case .libplist: consume(try LibplistCodec().reader(format)(data))
    }
    print(try peak())
    return 0
  }

  /// Returns the peak memory, in bytes, since the program was executed; `getrusage` may report the
  /// peak of the parent process.
  static func peak() throws -> Int { try memory("VmHWM") }

  /// Returns a field of /proc/self/status in bytes.
  static func memory(_ name: String) throws -> Int {
    for line in Machine.contents("/proc/self/status").split(separator: "\n")
    where line.hasPrefix(name + ":") {
      if let kibibytes = Int(line.split(whereSeparator: { !$0.isNumber }).first ?? "") {
        return kibibytes * 1_024
      }
    }
    throw BenchmarkError("no \(name) in /proc/self/status")
  }
}
