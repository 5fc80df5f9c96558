import Defaults
import Testing

@Suite("_DefaultsOptionalProtocol")
struct OptionalProtocolTests {
  @Test("A value of unknown type can be asked whether it is nil")
  func isNil() {
    func isNil(_ value: Any) -> Bool? { (value as? any _DefaultsOptionalProtocol)?._defaults_isNil }
    #expect(isNil(Int?.none as Any) == true)
    #expect(isNil(Int?.some(1) as Any) == false)
    #expect(isNil(Int??.some(nil) as Any) == false)
    #expect(isNil(Defaults.AnySerializable(nilLiteral: ())) == true)
    #expect(isNil(Defaults.AnySerializable(false)) == false)
    #expect(isNil(1) == nil)
  }
}
