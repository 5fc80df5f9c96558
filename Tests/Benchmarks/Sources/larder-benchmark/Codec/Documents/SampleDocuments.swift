import Foundation
import PropertyList

/// The documents of the codec benchmark, the same on every run.
enum SampleDocuments {
  /// A description of a document and how to create it.
  struct Recipe {
    var name: String
    /// A description for the report.
    var summary: String
    var make: () -> PlistValue
  }

  static let library = "library"
  static let small = "small"
  static let manyKeys = "prefs-100k"
  static let text = "text"
  static let data = "data"

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

  private static func strings() -> PlistValue {
    let samples = [
      "設定ファイルの値", "Größe der Schriftart", "Настройки программы", "préférences générales",
      "데이터 저장소", "emoji 🎧🎼 inside", "Ελληνικά κείμενα", "العربية",
    ]
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
}
