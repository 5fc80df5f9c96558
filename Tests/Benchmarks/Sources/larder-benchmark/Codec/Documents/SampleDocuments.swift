import Foundation
import PropertyList

/// The documents of the codec benchmark, the same on every run.
enum SampleDocuments {
  /// A description of a document and how to create it.
  struct Recipe {
    var name: String
    /// A description for the report.
    var summary: String
    /// The order of keys in the files.
    var keyOrder = PlistWriteOptions.KeyOrder.sorted
    var make: () -> PlistValue
  }

  static let library = "library"
  static let small = "small"
  static let manyKeys = "prefs-100k"
  static let text = "text"
  static let data = "data"

  /// Whether the files of a document have keys that are not sorted.
  static func hasUnsortedKeys(_ name: String) -> Bool {
    recipes.contains { $0.name == name && $0.keyOrder == .document }
  }

  static var recipes: [Recipe] {
    [
      Recipe(name: small, summary: "preferences, 40 flat keys") { preferences(count: 40) },
      Recipe(name: manyKeys, summary: "100,000 flat keys") { preferences(count: 100_000) },
      Recipe(name: library, summary: "a media library of 20,000 tracks") {
        MediaLibrary.value(tracks: 20_000)
      },
      Recipe(name: text, summary: "50,000 strings outside ASCII", make: strings),
      Recipe(name: "numbers", summary: "200,000 integers and reals", make: numbers),
      Recipe(name: data, summary: "100 blobs of up to 200 KB", make: blobs),
      Recipe(name: "deep", summary: "10 branches of 400 levels", make: deep),
      Recipe(name: "repeated", summary: "150,000 strings, few of them distinct", make: repeated),
      Recipe(name: "unsorted", summary: "100,000 flat keys in random order", keyOrder: .document) {
        preferences(count: 100_000)
      },
      Recipe(
        name: "records", summary: "20,000 records with unsorted keys", keyOrder: .document,
        make: records),
      Recipe(
        name: "languages", summary: "40,000 unsorted keys and strings in many languages",
        keyOrder: .document, make: languages),
      Recipe(name: "shared", summary: "5,000 entries that share 50 parts", make: shared),
    ]
  }

  /// Returns flat keys with values of all common kinds.
  private static func preferences(count: Int) -> PlistValue {
    var source = RandomValues(seed: 1)
    var values = PlistDictionary()
    for index in 0..<count {
      values["\(source.word())\(source.word().capitalized).\(index)"] =
        switch index % 6 {
        case 0: .integer(Int64(source.integer(below: 1 << 30)))
        case 1: .string(source.title(words: 2))
        case 2: .real(source.real() * 100)
        case 3: .boolean(source.chance(0.5))
        case 4: .date(source.date())
        default: .string(source.title(words: 5))
        }
    }
    return .dictionary(values)
  }

  /// Texts in several languages.
  private static let samples = [
    "設定ファイルの値", "Größe der Schriftart", "Настройки программы", "préférences générales",
    "데이터 저장소", "emoji 🎧🎼 inside", "Ελληνικά κείμενα", "العربية",
  ]

  private static func strings() -> PlistValue {
    var source = RandomValues(seed: 2)
    return .array(
      (0..<50_000).map { index in
        .string("\(source.element(of: samples)) \(index) \(source.element(of: samples))")
      })
  }

  private static func numbers() -> PlistValue {
    var source = RandomValues(seed: 3)
    return .array(
      (0..<2_000).map { _ in
        .array(
          (0..<100).map { _ in
            if source.chance(0.5) {
              let bits = source.element(of: [7, 15, 31, 62])
              return .integer(Int64(source.integer(below: 1 << bits)))
            }
            let scale = source.element(of: [0.001, 0.1, 1, 1_000, 1e9])
            return .real(source.real() * scale)
          })
      })
  }

  private static func blobs() -> PlistValue {
    var source = RandomValues(seed: 4)
    var values = PlistDictionary()
    for index in 0..<100 {
      let count = source.element(of: [100, 10_000, 200_000])
      values["blob \(index)"] = .data(source.data(count: count))
    }
    return .dictionary(values)
  }

  private static func deep() -> PlistValue {
    .array(
      (0..<10).map { branch in
        var value = PlistValue.string("branch \(branch)")
        for level in 0..<400 {
          let number = PlistValue.integer(Int64(branch * 400 + level))
          value =
            level % 2 == 0
            ? .array([value, number]) : .dictionary(["level": value, "number": number])
        }
        return value
      })
  }

  private static func repeated() -> PlistValue {
    var source = RandomValues(seed: 5)
    let states = ["waiting", "running", "finished", "failed", "cancelled"]
    let description = "The description that every one of these entries has in common"
    return .array(
      (0..<50_000).map { _ in
        .dictionary([
          "state": .string(source.element(of: states)),
          "color": .string(source.word()),
          "description": .string(description),
        ])
      })
  }

  /// Returns records whose keys have the order in which programs and people add them: mostly the
  /// same order, which is not sorted, and occasionally another one.
  private static func records() -> PlistValue {
    var source = RandomValues(seed: 7)
    let usual = [
      "name", "identifier", "version", "enabled", "created", "author", "description", "priority",
      "path", "arguments",
    ]
    return .array(
      (0..<20_000).map { index in
        let keys = source.chance(0.9) ? usual : source.shuffled(usual)
        return .dictionary(
          PlistDictionary(
            keys.map { key in
              let value: PlistValue =
                switch key {
                case "identifier": .string("org.example.\(source.word()).\(index)")
                case "enabled": .boolean(source.chance(0.5))
                case "created": .date(source.date())
                case "priority": .integer(Int64(source.integer(below: 100)))
                case "arguments": .array([.string(source.word()), .string(source.word())])
                case "description": .string(source.title(words: 8))
                default: .string(source.title(words: 2))
                }
              return (key, value)
            }))
      })
  }

  private static func languages() -> PlistValue {
    var source = RandomValues(seed: 8)
    var values = PlistDictionary()
    for index in 0..<40_000 {
      values["\(source.element(of: samples)) \(source.integer(below: 1 << 20)).\(index)"] = .string(
        "\(source.element(of: samples)) \(index), \(source.element(of: samples))")
    }
    return .dictionary(values)
  }

  /// Returns entries that refer to the same dictionaries and arrays, which are in memory once.
  private static func shared() -> PlistValue {
    var source = RandomValues(seed: 9)
    let parts = (0..<50).map { index -> PlistValue in
      .dictionary([
        "name": .string(source.title(words: 3)),
        "numbers": .array((0..<20).map { .integer(Int64(index * 20 + $0)) }),
        "texts": .array((0..<5).map { _ in .string(source.title(words: 4)) }),
      ])
    }
    return .array(
      (0..<5_000).map { index in
        .dictionary([
          "first": source.element(of: parts),
          "index": .integer(Int64(index)),
          "second": source.element(of: parts),
        ])
      })
  }
}
