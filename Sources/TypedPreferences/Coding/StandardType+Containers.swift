// Types whose coders are made of the coders of their elements.

extension Range: StandardType where Bound: StandardType {
  package static var plistCoder: PlistCoder<Range> {
    .range(of: Bound.plistCoder, bounds: { [$0.lowerBound, $0.upperBound] }, make: { $0..<$1 })
  }
}

extension ClosedRange: StandardType where Bound: StandardType {
  package static var plistCoder: PlistCoder<ClosedRange> {
    .range(of: Bound.plistCoder, bounds: { [$0.lowerBound, $0.upperBound] }, make: { $0...$1 })
  }
}

extension Optional: StandardType where Wrapped: StandardType {
  package static var plistCoder: PlistCoder<Wrapped?> { .optional(of: Wrapped.plistCoder) }
}

extension Array: StandardType where Element: StandardType {
  package static var plistCoder: PlistCoder<[Element]> { .array(of: Element.plistCoder) }
}

extension Set: StandardType where Element: StandardType {
  package static var plistCoder: PlistCoder<Set> { .set(of: Element.plistCoder) }
}

extension Dictionary: StandardType
where Key: LosslessStringConvertible, Value: StandardType {
  package static var plistCoder: PlistCoder<[Key: Value]> { .dictionary(of: Value.plistCoder) }
}
