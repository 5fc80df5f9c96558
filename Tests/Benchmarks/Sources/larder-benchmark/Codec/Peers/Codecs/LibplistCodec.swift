import Foundation

/// The C library libplist, loaded at run time if it is installed.
final class LibplistCodec: Codec {
  private typealias Read =
    @convention(c) (
      UnsafePointer<CChar>, UInt32, UnsafeMutablePointer<OpaquePointer?>
    ) -> CInt
  private typealias Write =
    @convention(c) (
      OpaquePointer, UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>,
      UnsafeMutablePointer<UInt32>
    ) -> CInt
  private typealias Free = @convention(c) (OpaquePointer) -> Void

  private let library: UnsafeMutableRawPointer
  private let free: Free

  /// Loads the library and never unloads it.
  init() throws {
    let names = ["libplist-2.0.so.4", "libplist-2.0.so.3", "libplist-2.0.so", "libplist.so"]
    guard let library = names.lazy.compactMap({ dlopen($0, RTLD_NOW) }).first else {
      throw BenchmarkError("libplist is not installed")
    }
    self.library = library
    free = try Self.function("plist_free", of: library)
  }

  private static func function<Function>(
    _ name: String, of library: UnsafeMutableRawPointer
  ) throws -> Function {
    guard let symbol = dlsym(library, name) else {
      throw BenchmarkError("libplist has no \(name)")
    }
    return unsafeBitCast(symbol, to: Function.self)
  }

  /// The file name of the library, which ends with its version.
  static var version: String {
    for line in Machine.contents("/proc/self/maps").split(separator: "\n") {
      let name = line.split(separator: "/").last ?? ""
      if name.hasPrefix("libplist") { return String(name) }
    }
    return "unknown version"
  }

  func work(_ operation: CodecOperation, _ data: Data) throws -> () throws -> Void {
    if operation.isReading {
      let read = try reader(operation.format)
      return { consume(try read(data)) }
    }
    let document = try reader(.binary)(data)
    let write: Write = try Self.function(
      operation.format == .xml ? "plist_to_xml" : "plist_to_bin", of: library)
    return {
      var bytes: UnsafeMutablePointer<CChar>?
      var count: UInt32 = 0
      let status = write(document.root, &bytes, &count)
      Glibc.free(bytes)
      try ensure(status == 0 && count > 0, "libplist cannot write the document: error \(status)")
    }
  }

  /// Returns a function that reads documents of a format.
  func reader(_ format: DocumentFormat) throws -> (Data) throws -> Tree {
    let read: Read = try Self.function(
      format == .xml ? "plist_from_xml" : "plist_from_bin", of: library)
    let free = free
    return { data in
      var root: OpaquePointer?
      let status = data.withUnsafeBytes { bytes in
        // C has no byte type other than char.
        read(bytes.baseAddress!.assumingMemoryBound(to: CChar.self), UInt32(bytes.count), &root)
      }
      guard status == 0, let root else {
        throw BenchmarkError("libplist cannot read the document: error \(status)")
      }
      return Tree(root: root, free: free)
    }
  }

  /// A document that libplist has allocated.
  final class Tree {
    let root: OpaquePointer
    private let free: @convention(c) (OpaquePointer) -> Void

    fileprivate init(root: OpaquePointer, free: @convention(c) (OpaquePointer) -> Void) {
      self.root = root
      self.free = free
    }

    deinit {
      free(root)
    }
  }
}
