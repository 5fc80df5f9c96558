import Foundation
import PropertyList

/// The process that reads one document once and tells its peak memory.
enum MemoryProcess {
  /// What reads the document.
  enum Reader: String, CaseIterable {
    case nobody
    case larder = "Larder"
    case foundation = "Foundation"
    case larderStructs = "Larder, structs"
    case foundationStructs = "Foundation, structs"
    case libplist
  }

  /// The peak memory of a process that reads a file, in bytes.
  static func peak(_ reader: Reader, _ path: String) throws -> Double {
    let output = try ChildProcess(["read-once", reader.rawValue, path], isRead: true)
      .waitForOutput()
    guard let bytes = Double(output.trimmingCharacters(in: .whitespacesAndNewlines)) else {
      throw BenchmarkError("the process says \(output)")
    }
    return bytes
  }

  /// Loads the file that is the second argument, has the reader that is the first one read it, and
  /// prints the peak in bytes.
  static func run(_ arguments: [String]) throws -> Int32 {
    guard arguments.count == 2, let reader = Reader(rawValue: arguments[0]) else {
      throw UsageError("read-once needs a reader and a file")
    }
    let data = try Data(contentsOf: URL(fileURLWithPath: arguments[1]))
    let format: DocumentFormat = data.starts(with: "bplist".utf8) ? .binary : .xml
    switch reader {
    case .nobody: break
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

  /// The kernel's mark of this process since its program started, in bytes; that of `getrusage` may
  /// be the mark of the process that started it.
  static func peak() throws -> Int { try memory("VmHWM") }

  /// What the kernel says of the memory of this process, in bytes.
  static func memory(_ name: String) throws -> Int {
    for line in Machine.contents("/proc/self/status").split(separator: "\n")
    where line.hasPrefix(name + ":") {
      if let kibibytes = Int(line.split(whereSeparator: { !$0.isNumber }).first ?? "") {
        return kibibytes * 1_024
      }
    }
    throw BenchmarkError("the kernel does not tell \(name)")
  }
}
