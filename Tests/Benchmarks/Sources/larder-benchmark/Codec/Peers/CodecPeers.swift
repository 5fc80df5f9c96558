/// The codecs that are there to be measured, this package's first.
struct CodecPeers {
  private(set) var all: [any CodecPeer]
  /// The decoders and encoders of structs, this package's first.
  let ofStructs: [any CodecPeer]
  /// What is told of those that are not there.
  private(set) var absences: [String] = []
  /// The versions of those that have one.
  private(set) var versions: [String: String] = ["libxml2": EmptySAX.version]

  init() throws {
    all = [try CodecProcess(.larder), try CodecProcess(.foundation)]
    ofStructs = [try CodecProcess(.larderStructs), try CodecProcess(.foundationStructs)]
    do {
      _ = try LibplistCodec()
      all.append(try CodecProcess(.libplist))
      versions["libplist"] = LibplistCodec.version
    } catch {
      absences.append("\(error): it is left out")
    }
    do {
      let plistlib = try PlistlibCodec()
      versions["Python"] = try plistlib.version()
      all.append(plistlib)
    } catch {
      absences.append("\(error): plistlib is left out")
    }
    all += [try CodecProcess(.emptySAX), try CodecProcess(.objectHeaders)]
  }
}
