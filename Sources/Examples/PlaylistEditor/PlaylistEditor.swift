import FoundationEssentials
import PropertyList

/// A playlist, as Codable types see it.
struct Playlist: Codable {
  struct Track: Codable {
    var name: String
    var seconds: Int
  }

  var title: String
  var tracks: [Track]
}

/// Writes, reads, changes and converts a property list in memory.
///
///     swift run PlaylistEditor
///
/// It shows `PropertyList` without preferences: Codable types, key paths, edits, formats, and an error
/// that says where it is.
@main
enum PlaylistEditor {
  static func main() throws {
    let playlist = Playlist(
      title: "Kind of Blue", tracks: [.init(name: "So What", seconds: 562)])
    let encoder = PlistEncoder(outputFormat: .xml)
    let xml = try encoder.encode(playlist)

    var document = try Plist.read(xml)
    print("\(document.format): \(document.value[PlistKeyPath("tracks.0.name")] ?? .null)")

    // Keys that the types do not know stay in the value.
    try document.value.insert("2026", at: PlistKeyPath("bought"))
    try document.value.append(
      ["name": "Blue in Green", "seconds": 337], toArrayAt: PlistKeyPath("tracks"))
    let binary = try Plist.write(document.value, as: .binary)
    let decoded = try PlistDecoder().decode(Playlist.self, from: binary)
    print("\(decoded.tracks.count) tracks, \(decoded.tracks.reduce(0) { $0 + $1.seconds }) seconds")
    print(String(decoding: try Plist.write(document.value, as: .json), as: UTF8.self))

    do {
      _ = try Plist.read(Data("{ title = Blue }".utf8))
    } catch {
      print("refused: \(error)")
    }
  }
}
