import Testing

@testable import PreferencesSync

@Suite("The names in a state file differ for different keys")
struct StateFileNameTests {
  @Test(
    "A key keeps its name unless it is the machine's",
    arguments: [
      ("k", "k"), ("", ""), ("machine", "machine"), ("%machine", "%%machine"),
      ("%%machine", "%%%machine"), ("%machines", "%machines"), ("%", "%"),
    ])
  func names(key: String, name: String) {
    #expect(StateFileName.entry(ofKey: key) == name)
    #expect(name != StateFileName.machine)
  }
}
