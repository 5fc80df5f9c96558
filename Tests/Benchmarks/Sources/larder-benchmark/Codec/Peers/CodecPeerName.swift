/// The name of a codec.
enum CodecPeerName: String, Codable {
  case larder = "Larder"
  case larderStructs = "Larder, structs"
  case foundation = "Foundation"
  case foundationStructs = "Foundation, structs"
  case libplist
  case plistlib
  case rustPlist = "rust-plist"
  case emptySAX = "libxml2 alone"
  case objectHeaders = "object headers alone"

  /// Whether it is a raw limit: work that no codec can omit.
  var isLimit: Bool { self == .emptySAX || self == .objectHeaders }
}
