/// Whose codec is measured.
enum CodecPeerName: String, Codable {
  case larder = "Larder"
  case larderStructs = "Larder, structs"
  case foundation = "Foundation"
  case foundationStructs = "Foundation, structs"
  case libplist
  case plistlib
  case emptySAX = "libxml2 alone"
  case objectHeaders = "object headers alone"

  /// Whether it does only what nobody can leave out.
  var isLimit: Bool { self == .emptySAX || self == .objectHeaders }
}
