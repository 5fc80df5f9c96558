@testable import FileStorage
import Testing

@Suite("The name of a file derived from another")
struct FileNameTests {
  @Test("contains the other name if it is not too long")
  func short() {
    #expect(FileName.make(".", "file", ".lock") == ".file.lock")
    let name = String(repeating: "n", count: 249)
    #expect(FileName.make(".", name, ".lock") == ".\(name).lock")
  }

  @Test("contains a hash otherwise, the same in every process")
  func long() {
    let name = String(repeating: "n", count: 250)
    #expect(FileName.make(".", name, ".lock") == ".larder-6zgpd94tsi6l.lock")
    #expect(
      FileName.make(".", name, ".lock") != FileName.make(".", name.replacing("nn", with: "m"), ""))
  }
}
