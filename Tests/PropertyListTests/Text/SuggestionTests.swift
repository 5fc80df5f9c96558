import PropertyList
import Testing

@Suite("A suggestion")
struct SuggestionTests {
  static let words: [(String, String)] = [
    ("-convret", "-convert"), ("convert", "-convert"), ("-CONVERT", "-convert"), ("-lnt", "-lint"),
    ("-lintt", "-lint"), ("-tpye", "-type"), ("-o", "-p"), ("-extrat", "-extract"),
  ]

  static let candidates = ["-lint", "-p", "-convert", "-extract", "-type"]

  @Test("is the nearest candidate", arguments: words)
  func near(word: String, suggestion: String) {
    #expect(
      Suggestion.text(for: word, among: Self.candidates)
        == (suggestion == "-p" ? "" : "; did you mean \(suggestion)?"))
  }

  @Test(
    "is made only for a similar word", arguments: ["-x", "", "-print", "-corset", "läuft", "-l"])
  func far(word: String) {
    #expect(Suggestion.text(for: word, among: Self.candidates) == "")
  }

  @Test("ignores very long names")
  func long() {
    let long = String(repeating: "a", count: 100_000)
    #expect(Suggestion.text(for: long, among: [long + "b", "a"]) == "")
    #expect(Suggestion.text(for: "a", among: [long]) == "")
  }
}
