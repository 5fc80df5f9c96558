import Foundation
import PropertyList

extension MediaLibrary {
  /// Returns a library with a number of tracks, each about 1 KB of XML.
  static func value(tracks count: Int) -> PlistValue {
    var source = RandomValues(seed: 6)
    let artists = (0..<800).map { _ in source.title(words: 2) }
    let albums = (0..<2_000).map { _ in source.title(words: 3) }
    var tracks = PlistDictionary()
    for index in 0..<count {
      let identifier = 1_000 + 2 * index
      tracks[String(identifier)] = track(identifier, artists, albums, from: &source)
    }
    return .dictionary([
      "Major Version": 1,
      "Minor Version": 1,
      "Date": .date(source.date()),
      "Application Version": "12.9.5.5",
      "Features": 5,
      "Show Content Ratings": true,
      "Music Folder": "file:///home/somebody/Music/iTunes/iTunes%20Media/",
      "Library Persistent ID": .string(source.persistentIdentifier()),
      "Tracks": .dictionary(tracks),
      "Playlists": playlists(ofTracks: count, from: &source),
    ])
  }

  private static func track(
    _ identifier: Int, _ artists: [String], _ albums: [String], from source: inout RandomValues
  ) -> PlistValue {
    let artist = source.element(of: artists)
    let album = source.element(of: albums)
    let name = source.title(words: source.integer(in: 1...4))
    var track: PlistDictionary = [
      "Track ID": .integer(Int64(identifier)),
      "Name": .string(name),
      "Artist": .string(artist),
      "Album": .string(album),
      "Genre": .string(
        source.element(of: ["Rock", "Pop", "Jazz", "Classical", "Electronic", "Folk", "Hip-Hop"])),
      "Kind": "MPEG audio file",
      "Size": .integer(Int64(source.integer(in: 1_000_000...12_000_000))),
      "Total Time": .integer(Int64(source.integer(in: 60_000...600_000))),
    ]
    if source.chance(0.9) { track["Track Number"] = .integer(Int64(source.integer(in: 1...20))) }
    if source.chance(0.9) { track["Year"] = .integer(Int64(source.integer(in: 1950...2024))) }
    track["Date Modified"] = .date(source.date())
    track["Date Added"] = .date(source.date())
    track["Bit Rate"] = .integer(Int64(source.element(of: [128, 192, 256, 320])))
    track["Sample Rate"] = 44_100
    track["Loudness"] = .real(source.real() * 20 - 20)
    if source.chance(0.2) { track["Compilation"] = true }
    track["Persistent ID"] = .string(source.persistentIdentifier())
    let folder = album.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? ""
    track["Location"] = .string("file:///home/somebody/Music/iTunes/\(folder)/\(identifier).mp3")
    return .dictionary(track)
  }

  /// Returns playlists with two fifths of the tracks in total.
  private static func playlists(
    ofTracks count: Int, from source: inout RandomValues
  ) -> PlistValue {
    let number = max(1, count / 500)
    return .array(
      (0..<number).map { index in
        .dictionary([
          "Name": .string(source.title(words: 2)),
          "Playlist ID": .integer(Int64(index)),
          "Playlist Persistent ID": .string(source.persistentIdentifier()),
          "Playlist Items": .array(
            (0..<count * 2 / 5 / number).map { _ in
              .dictionary(["Track ID": .integer(Int64(1_000 + 2 * source.integer(below: count)))])
            }),
        ])
      })
  }
}
