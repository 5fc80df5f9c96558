import FoundationEssentials
import PropertyList
import Testing

@testable import Preferences

@Suite("Values that preferences can hold")
struct StorableValueTests {
  @Test("Containers of native values are storable")
  func storable() {
    #expect(PlistValue.array([1, ["a": "b"]]).isStorable)
  }

  @Test(
    "Null, sets and NaN dates are not storable, nor are containers of them",
    arguments: [
      .null, .set([1]), [.null], ["a": .date(.init(timeIntervalSince1970: .nan))],
    ] as [PlistValue])
  func notStorable(value: PlistValue) {
    #expect(!value.isStorable)
  }
}
