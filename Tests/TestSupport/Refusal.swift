/// The error of a check, a closure or an encoder of a test.
package struct Refusal: Error, Equatable, CustomStringConvertible {
  package let description: String

  package init(_ description: String = "refused") { self.description = description }
}
