@testable import FileStorage
import Testing

@Suite("The name of a file beside another")
struct FileNameTests {
  @Test("has the other's name in it while there is room")
  func short() {
    #expect(FileName.make(".", "file", ".lock") == ".file.lock")
    let name = String(repeating: "n", count: 249)
    #expect(FileName.make(".", name, ".lock") == ".\(name).lock")
  }

  @Test("has a hash in it otherwise, the same in every process")
  func long() {
    let name = String(repeating: "n", count: 250)
    #expect(FileName.make(".", name, ".lock") == ".larder-6zgpd94tsi6l.lock")
    #expect(
      FileName.make(".", name, ".lock") != FileName.make(".", name.replacing("nn", with: "m"), ""))
  }
}
