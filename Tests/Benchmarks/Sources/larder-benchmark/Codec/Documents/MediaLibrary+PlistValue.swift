import Foundation
import PropertyList

extension MediaLibrary {
  init(_ value: PlistValue) throws {
    let entries = try Entries<CodingKeys>(value)
    self.init(
      majorVersion: try entries.integer(.majorVersion),
      minorVersion: try entries.integer(.minorVersion),
      date: try entries.date(.date),
      applicationVersion: try entries.string(.applicationVersion),
      features: try entries.integer(.features),
      showContentRatings: try entries.boolean(.showContentRatings),
      musicFolder: try entries.string(.musicFolder),
      libraryPersistentID: try entries.string(.libraryPersistentID),
      tracks: try entries.dictionary(.tracks).reduce(into: [:]) {
        $0[$1.key] = try Track($1.value)
      },
      playlists: try entries.array(.playlists).map { try Playlist($0) })
  }

  var value: PlistValue {
    Entries<CodingKeys>.value([
      (.majorVersion, .integer(Int64(majorVersion))),
      (.minorVersion, .integer(Int64(minorVersion))),
      (.date, .date(date)),
      (.applicationVersion, .string(applicationVersion)),
      (.features, .integer(Int64(features))),
      (.showContentRatings, .boolean(showContentRatings)),
      (.musicFolder, .string(musicFolder)),
      (.libraryPersistentID, .string(libraryPersistentID)),
      (.tracks, .dictionary(PlistDictionary(tracks.lazy.map { ($0.key, $0.value.value) }))),
      (.playlists, .array(playlists.map(\.value))),
    ])
  }
}

extension MediaLibrary.Track {
  fileprivate init(_ value: PlistValue) throws {
    let entries = try Entries<CodingKeys>(value)
    self.init(
      trackID: try entries.integer(.trackID), name: try entries.string(.name),
      artist: try entries.string(.artist), album: try entries.string(.album),
      genre: try entries.string(.genre), kind: try entries.string(.kind),
      size: try entries.integer(.size), totalTime: try entries.integer(.totalTime),
      trackNumber: try? entries.integer(.trackNumber),
      year: try? entries.integer(.year),
      dateModified: try entries.date(.dateModified), dateAdded: try entries.date(.dateAdded),
      bitRate: try entries.integer(.bitRate), sampleRate: try entries.integer(.sampleRate),
      loudness: try entries.real(.loudness),
      compilation: try? entries.boolean(.compilation),
      persistentID: try entries.string(.persistentID), location: try entries.string(.location))
  }

  fileprivate var value: PlistValue {
    Entries<CodingKeys>.value([
      (.trackID, .integer(Int64(trackID))), (.name, .string(name)), (.artist, .string(artist)),
      (.album, .string(album)), (.genre, .string(genre)), (.kind, .string(kind)),
      (.size, .integer(Int64(size))), (.totalTime, .integer(Int64(totalTime))),
      (.trackNumber, trackNumber.map { .integer(Int64($0)) }),
      (.year, year.map { .integer(Int64($0)) }), (.dateModified, .date(dateModified)),
      (.dateAdded, .date(dateAdded)), (.bitRate, .integer(Int64(bitRate))),
      (.sampleRate, .integer(Int64(sampleRate))), (.loudness, .real(loudness)),
      (.compilation, compilation.map { .boolean($0) }), (.persistentID, .string(persistentID)),
      (.location, .string(location)),
    ])
  }
}

extension MediaLibrary.Playlist {
  fileprivate init(_ value: PlistValue) throws {
    let entries = try Entries<CodingKeys>(value)
    self.init(
      name: try entries.string(.name), playlistID: try entries.integer(.playlistID),
      playlistPersistentID: try entries.string(.playlistPersistentID),
      items: try entries.array(.items).map { item in
        MediaLibrary.Item(
          trackID: try Entries<MediaLibrary.Item.CodingKeys>(item).integer(.trackID))
      })
  }

  fileprivate var value: PlistValue {
    Entries<CodingKeys>.value([
      (.name, .string(name)), (.playlistID, .integer(Int64(playlistID))),
      (.playlistPersistentID, .string(playlistPersistentID)),
      (
        .items,
        .array(
          items.map {
            Entries<MediaLibrary.Item.CodingKeys>.value([(.trackID, .integer(Int64($0.trackID)))])
          })
      ),
    ])
  }
}

/// The entries of a dictionary by the names of a struct's properties.
private struct Entries<Key: RawRepresentable<String>> {
  private let dictionary: PlistDictionary

  init(_ value: PlistValue) throws {
    guard case .dictionary(let dictionary) = value else {
      throw BenchmarkError("a value is no dictionary")
    }
    self.dictionary = dictionary
  }

  static func value(_ entries: [(Key, PlistValue?)]) -> PlistValue {
    var dictionary = PlistDictionary()
    dictionary.reserveCapacity(entries.count)
    for case (let key, let value?) in entries { dictionary[key.rawValue] = value }
    return .dictionary(dictionary)
  }

  func integer(_ key: Key) throws -> Int {
    guard case .integer(let number)? = dictionary[key.rawValue] else { throw wrong(key) }
    return Int(number)
  }

  func real(_ key: Key) throws -> Double {
    guard case .real(let number)? = dictionary[key.rawValue] else { throw wrong(key) }
    return number
  }

  func string(_ key: Key) throws -> String {
    guard case .string(let string)? = dictionary[key.rawValue] else { throw wrong(key) }
    return string
  }

  func boolean(_ key: Key) throws -> Bool {
    guard case .boolean(let boolean)? = dictionary[key.rawValue] else { throw wrong(key) }
    return boolean
  }

  func date(_ key: Key) throws -> Date {
    guard case .date(let date)? = dictionary[key.rawValue] else { throw wrong(key) }
    return date
  }

  func array(_ key: Key) throws -> [PlistValue] {
    guard case .array(let elements)? = dictionary[key.rawValue] else { throw wrong(key) }
    return elements
  }

  func dictionary(_ key: Key) throws -> PlistDictionary {
    guard case .dictionary(let dictionary)? = dictionary[key.rawValue] else { throw wrong(key) }
    return dictionary
  }

  private func wrong(_ key: Key) -> BenchmarkError {
    BenchmarkError("the value of \(key.rawValue) is missing or of another type")
  }
}
