import Foundation
import PropertyList

/// A music library in the layout of an iTunes export.
struct MediaLibrary: Codable, Equatable {
  var majorVersion: Int
  var minorVersion: Int
  var date: Date
  var applicationVersion: String
  var features: Int
  var showContentRatings: Bool
  var musicFolder: String
  var libraryPersistentID: String
  var tracks: [String: Track]
  var playlists: [Playlist]

  enum CodingKeys: String, CodingKey {
    case majorVersion = "Major Version"
    case minorVersion = "Minor Version"
    case date = "Date"
    case applicationVersion = "Application Version"
    case features = "Features"
    case showContentRatings = "Show Content Ratings"
    case musicFolder = "Music Folder"
    case libraryPersistentID = "Library Persistent ID"
    case tracks = "Tracks"
    case playlists = "Playlists"
  }

  struct Track: Codable, Equatable {
    var trackID: Int
    var name: String
    var artist: String
    var album: String
    var genre: String
    var kind: String
    var size: Int
    var totalTime: Int
    var trackNumber: Int?
    var year: Int?
    var dateModified: Date
    var dateAdded: Date
    var bitRate: Int
    var sampleRate: Int
    var loudness: Double
    var compilation: Bool?
    var persistentID: String
    var location: String

    enum CodingKeys: String, CodingKey {
      case trackID = "Track ID"
      case name = "Name"
      case artist = "Artist"
      case album = "Album"
      case genre = "Genre"
      case kind = "Kind"
      case size = "Size"
      case totalTime = "Total Time"
      case trackNumber = "Track Number"
      case year = "Year"
      case dateModified = "Date Modified"
      case dateAdded = "Date Added"
      case bitRate = "Bit Rate"
      case sampleRate = "Sample Rate"
      case loudness = "Loudness"
      case compilation = "Compilation"
      case persistentID = "Persistent ID"
      case location = "Location"
    }
  }

  struct Playlist: Codable, Equatable {
    var name: String
    var playlistID: Int
    var playlistPersistentID: String
    var items: [Item]

    enum CodingKeys: String, CodingKey {
      case name = "Name"
      case playlistID = "Playlist ID"
      case playlistPersistentID = "Playlist Persistent ID"
      case items = "Playlist Items"
    }
  }

  struct Item: Codable, Equatable {
    var trackID: Int

    enum CodingKeys: String, CodingKey {
      case trackID = "Track ID"
    }
  }
}
