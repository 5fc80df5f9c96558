/// The available codecs, Larder's first.
struct CodecPeers {
  private(set) var all: [any CodecPeer]
  /// The decoders and encoders of structs, Larder's first.
  let ofStructs: [any CodecPeer]
  /// Messages about unavailable codecs.
  private(set) var absences: [String] = []
  /// The versions of libraries by name.
  private(set) var versions: [String: String] = ["libxml2": EmptySAX.version]

  /// - Parameter rustPlist: The path of the program that measures rust-plist.
  init(rustPlist: String?) throws {
    all = try [.larder, .larderOrdered, .foundation].map { try CodecProcess($0) }
    ofStructs = try [.larderStructs, .larderStructsByHand, .foundationStructs].map {
      try CodecProcess($0)
    }
    do {
      _ = try LibplistCodec()
      all.append(try CodecProcess(.libplist))
      versions["libplist"] = LibplistCodec.version
    } catch {
      absences.append("\(error)")
    }
    do {
      let plistlib = try PlistlibCodec()
      versions["Python"] = try plistlib.version()
      all.append(plistlib)
    } catch {
      absences.append("plistlib: \(error)")
    }
    do {
      let rustPlist = try RustPlistCodec(rustPlist)
      versions["rust-plist"] = try rustPlist.version()
      all.append(rustPlist)
    } catch {
      absences.append("rust-plist: \(error)")
    }
    all += try [.emptySAX, .swiftSAX].map { try CodecProcess($0) }
  }
}
