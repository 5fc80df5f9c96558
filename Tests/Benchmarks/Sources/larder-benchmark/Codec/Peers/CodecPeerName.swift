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

  /// Whether it is a limit that codecs are compared with.
  var isLimit: Bool { [.larderStructsByHand, .emptySAX, .swiftSAX].contains(self) }
}
