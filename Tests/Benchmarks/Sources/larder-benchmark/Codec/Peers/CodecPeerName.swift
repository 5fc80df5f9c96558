/// The name of a codec.
enum CodecPeerName: String, Codable {
  case larder = "Larder"
  case larderOrdered = "Larder, document order"
  case larderStructs = "Larder, structs"
  case larderStructsByHand = "Larder, by hand"
  case foundation = "Foundation"
  case foundationStructs = "Foundation, structs"
  case libplist
  case plistlib
  case rustPlist = "rust-plist"
  case emptySAX = "libxml2 alone"
  case swiftSAX = "libxml2 and strings"

  /// Returns whether this is a limit that codecs are compared with, not a codec.
  static func isLimit(_ timing: Timing) -> Bool {
    let limits: [Self] = [.larderStructsByHand, .emptySAX, .swiftSAX]
    return limits.contains { $0.rawValue == timing.name }
  }
}
