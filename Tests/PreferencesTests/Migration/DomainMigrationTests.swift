import PropertyList
import Testing

@testable import Preferences

@Suite("The steps of a migration")
struct DomainMigrationTests {
  private struct StepError: Error, CustomStringConvertible {
    let description = "not a size"
  }

  private static let key = PreferencesMigration.versionKey

  /// The result of an edit of values.
  struct Row: CustomTestStringConvertible {
    var testDescription: String
    var edit: PreferencesMigration.Edit
    var old: PlistDictionary
    var new: PlistDictionary
  }

  private static let size = PreferencesMigration.Edit.split("size") { value in
    guard case .string(let text) = value else { throw StepError() }
    let parts = text.split(separator: "x").compactMap { Int64($0) }
    guard parts.count == 2 else { throw StepError() }
    return ["width": .integer(parts[0]), "height": .integer(parts[1])]
  }

  private static let whole = PreferencesMigration.Edit.merge(["first", "last"], into: "name") {
    values in
    let words = ["first", "last"].compactMap { key -> String? in
      if case .string(let word)? = values[key] { word } else { nil }
    }
    return words.isEmpty ? nil : .string(words.joined(separator: " "))
  }

  static let rows = [
    Row(
      testDescription: "a renamed key", edit: .rename("a", to: "b"), old: ["a": 1, "c": 2],
      new: ["c": 2, "b": 1]),
    Row(
      testDescription: "a renamed key whose new name has a value", edit: .rename("a", to: "b"),
      old: ["a": 1, "b": 2], new: ["b": 2]),
    Row(
      testDescription: "a renamed key without a value", edit: .rename("a", to: "b"),
      old: ["c": 1], new: ["c": 1]),
    Row(
      testDescription: "a converted value",
      edit: .convert("t", from: String.self) { Double($0).map { .real($0) } },
      old: ["t": "1.5"], new: ["t": .real(1.5)]),
    Row(
      testDescription: "a converted value that is removed",
      edit: .convert("t", from: String.self) { Double($0).map { .real($0) } },
      old: ["t": "soon"], new: [:]),
    Row(
      testDescription: "a value of another type than the converted one",
      edit: .convert("t", from: String.self) { Double($0).map { .real($0) } },
      old: ["t": true], new: ["t": true]),
    Row(
      testDescription: "a split key", edit: size, old: ["size": "80x25"],
      new: ["width": 80, "height": 25]),
    Row(
      testDescription: "a split key, one of whose new names has a value", edit: size,
      old: ["width": 100, "size": "80x25"], new: ["width": 100, "height": 25]),
    Row(testDescription: "a split key without a value", edit: size, old: [:], new: [:]),
    Row(
      testDescription: "merged keys", edit: whole, old: ["first": "Ada", "last": "Lovelace"],
      new: ["name": "Ada Lovelace"]),
    Row(
      testDescription: "merged keys, one of which has a value", edit: whole,
      old: ["last": "Lovelace"], new: ["name": "Lovelace"]),
    Row(
      testDescription: "merged keys that make no value", edit: whole, old: ["last": 1], new: [:]),
    Row(
      testDescription: "merged keys whose new name is an old one",
      edit: .merge(["a", "b"], into: "a") { .integer(Int64($0.count)) }, old: ["a": 5, "b": 6],
      new: ["a": 2]),
    Row(
      testDescription: "a kept default", edit: .keepDefault(8, forKey: "tab"), old: ["c": 1],
      new: ["c": 1, "tab": 8]),
    Row(
      testDescription: "a kept default of a key with a value",
      edit: .keepDefault(8, forKey: "tab"), old: ["tab": 4], new: ["tab": 4]),
    Row(
      testDescription: "a dropped default", edit: .dropDefault(8, forKey: "tab"),
      old: ["tab": 8], new: [:]),
    Row(
      testDescription: "another value than the dropped default",
      edit: .dropDefault(8, forKey: "tab"), old: ["tab": .real(8)], new: ["tab": .real(8)]),
    Row(
      testDescription: "a moved value", edit: .move(["a", "x"], toDomain: "d"),
      old: ["a": 1, "b": 2], new: ["b": 2]),
  ]

  @Test("have a row for each edit", arguments: rows)
  func edits(_ row: Row) throws {
    var values = row.old
    _ = try row.edit.apply(to: &values)
    #expect(values == row.new)
    // A step that runs again after an interruption changes nothing more.
    _ = try row.edit.apply(to: &values)
    #expect(values == row.new || row.testDescription.hasPrefix("merged keys whose"))
  }

  private static let three = DomainMigration(
    [
      PreferencesMigration(to: 2, .rename("a", to: "b"), .move(["m"], toDomain: "other")),
      PreferencesMigration(to: 5) { values in values["c"] = values["b"] },
      PreferencesMigration(to: 6, .split("size") { _ in throw StepError() }),
    ], backupCount: 2)

  @Test(
    "are those after the version of the domain",
    arguments: [
      ([:], .nothing), (["a": 1], .steps(after: 0)), (["a": 1, key: 1], .steps(after: 1)),
      ([key: 5], .steps(after: 5)), (["a": 1, key: 6], .nothing),
      (["a": 1, key: 7], .refusal(7)), ([key: "6"], .refusal(nil)),
      ([key: .unsignedInteger(.max)], .refusal(.max)), (["a": 1, key: -1], .steps(after: -1)),
    ] as [(PlistDictionary, DomainMigration.Need)])
  func need(values: PlistDictionary, need: DomainMigration.Need) {
    #expect(Self.three.need(of: values) == need)
  }

  @Test("run in order and leave the newest version")
  func order() throws {
    var values: PlistDictionary = ["a": 1, "m": 2]
    let moved = try Self.three.run(after: 0, on: &values)
    #expect(values == ["b": 1, "c": 1, Self.key: 6])
    #expect(moved.map(\.domain) == ["other"])
    #expect(moved.map(\.values) == [["m": 2]])
    var later: PlistDictionary = ["a": 1, "b": 3, Self.key: 2]
    #expect(try Self.three.run(after: 2, on: &later).isEmpty)
    #expect(later == ["a": 1, "b": 3, "c": 3, Self.key: 6])
  }

  @Test("that throw, leave what cannot be stored, or move to an invalid domain are named")
  func failure() {
    func failure(_ step: PreferencesMigration) -> String {
      var values: PlistDictionary = ["size": 1]
      do throws(DomainMigration.Failure) {
        _ = try DomainMigration([step], backupCount: 0).run(after: 0, on: &values)
        return "none"
      } catch {
        return "\(error.version): \(error.reason)"
      }
    }
    #expect(failure(PreferencesMigration(to: 3, Self.size)) == "3: not a size")
    #expect(
      failure(PreferencesMigration(to: 4) { $0["list"] = [.null] })
        == "4: list.0: null cannot be stored in preferences; leave it out")
    #expect(
      failure(PreferencesMigration(to: 5, .move(["size"], toDomain: "../x")))
        == "5: \"../x\" is not a valid domain name")
  }

  @Test("have positive and ascending versions")
  func versions() async {
    await #expect(processExitsWith: .failure) {
      _ = DomainMigration([PreferencesMigration(to: 0)], backupCount: 2)
    }
    await #expect(processExitsWith: .failure) {
      _ = DomainMigration(
        [PreferencesMigration(to: 2), PreferencesMigration(to: 2)], backupCount: 2)
    }
    await #expect(processExitsWith: .failure) {
      _ = DomainMigration([PreferencesMigration(to: 1)], backupCount: -1)
    }
  }
}
