internal import FoundationEssentials
package import PropertyList

/// Optionals and containers.
extension PlistCoder {
  /// A coder of optionals that stores nothing for nil, except within a container, where nil is
  /// stored as ``PlistValue/storedNil``.
  package static func optional<Wrapped>(
    of wrapped: PlistCoder<Wrapped>
  ) -> PlistCoder<Wrapped?> where Value == Wrapped? {
    PlistCoder<Wrapped?>(
      isCostly: wrapped.isCostly,
      encode: { value throws(ValueConversionError) in
        guard let value else { return nil }
        return try wrapped.encode(value)
      },
      decode: { plist throws(ValueConversionError) in
        // JSON has null for nil.
        plist == .storedNil || plist == .null ? nil : try wrapped.decode(plist)
      },
      merge: { base, plist in
        guard let base, let merge = wrapped.merge else { return nil }
        return merge(base, plist).map { $0 }
      }, partial: wrapped.partial?.map { $0 },
      areEquivalent: wrapped.areEquivalent)
  }

  /// Returns a coder that stores ``PlistValue/storedNil`` for nil.
  package func storingNil<Wrapped>() -> PlistCoder where Value == Wrapped? {
    var coder = self
    coder.encode = { [encode] value throws(ValueConversionError) in
      try encode(value) ?? .storedNil
    }
    return coder
  }

  package static func array<Element>(
    of element: PlistCoder<Element>
  ) -> PlistCoder<[Element]> where Value == [Element] {
    PlistCoder<[Element]>(.array(of: element), areEquivalent: element.comparisonOfElements) {
      value throws(ValueConversionError) in
      .array(try element.encodeAll(value))
    }
  }

  /// A coder of collections other than arrays, stored as arrays.
  package static func collection<Element>(
    of element: PlistCoder<Element>, elements: @escaping @Sendable (Value) -> [Element],
    make: @escaping @Sendable ([Element]) -> Value
  ) -> PlistCoder {
    let array = PlistCoder<[Element]>.array(of: element)
    return PlistCoder(
      array, expected: "an array", to: { value in elements(value) }, from: { make($0) },
      partial: array.partial?.map(make))
  }

  /// A coder of unordered collections, stored as arrays in an order that depends only on the
  /// elements, so that equal collections are stored alike.
  package static func unordered<Element>(
    of element: PlistCoder<Element>, elements: @escaping @Sendable (Value) -> [Element],
    make: @escaping @Sendable ([Element]) -> Value
  ) -> PlistCoder where Value: Equatable & SendableMetatype {
    var coder = collection(of: element, elements: elements, make: make)
    coder.encode = { value throws(ValueConversionError) in
      .array(try element.encodeAll(elements(value)).sortedByBinaryForm)
    }
    if element.areEquivalent == nil {
      coder.areEquivalent = nil
    } else {
      coder.areEquivalent = { [decode = coder.decode] one, other in
        guard let one = try? decode(one), let other = try? decode(other) else { return false }
        return one == other
      }
    }
    return coder
  }

  package static func set<Element: Hashable & SendableMetatype>(
    of element: PlistCoder<Element>
  ) -> PlistCoder<Set<Element>> where Value == Set<Element> {
    .unordered(of: element, elements: { Array($0) }, make: { Set($0) })
  }

  /// A coder of ranges, stored as arrays of the bounds.
  package static func range<Bound: Comparable & SendableMetatype>(
    of bound: PlistCoder<Bound>, bounds: @escaping @Sendable (Value) -> [Bound],
    make: @escaping @Sendable (Bound, Bound) -> Value
  ) -> PlistCoder {
    PlistCoder(
      .array(of: bound), expected: "the lower and upper bounds of a range", to: { bounds($0) },
      from: { $0.count == 2 && $0[0] <= $0[1] ? make($0[0], $0[1]) : nil })
  }

  /// A coder of dictionaries, stored under the descriptions of their keys.
  package static func dictionary<Key: LosslessStringConvertible & Hashable, Element>(
    of element: PlistCoder<Element>
  ) -> PlistCoder<[Key: Element]> where Value == [Key: Element] {
    PlistCoder<[Key: Element]>(
      .dictionary(of: element) { text in Key(text).map { ($0, $0.description) } },
      areEquivalent: element.comparisonOfElements
    ) { value throws(ValueConversionError) in
      var entries = PlistDictionary()
      entries.reserveCapacity(value.count)
      let sorted = value.map { ($0.key.description, $0.value) }.sorted { $0.0 < $1.0 }
      for (key, value) in sorted {
        do throws(ValueConversionError) {
          entries[key] = try element.encode(value) ?? .storedNil
        } catch {
          throw error.within(key)
        }
      }
      return .dictionary(entries)
    }
  }

  /// Creates the coder of a container, which decodes all elements or none.
  ///
  /// - Parameter encode: A closure that captures only coders and the conformances of a dictionary's
  ///   keys. The extension of `Dictionary` cannot require `SendableMetatype` for these.
  private init(
    _ partial: LenientCollectionCoding<Value>,
    areEquivalent: (@Sendable (PlistValue, PlistValue) -> Bool)?,
    encode: @escaping (Value) throws(ValueConversionError) -> PlistValue?
  ) {
    nonisolated(unsafe) let encode = encode
    self.init(
      isCostly: true, encode: { value throws(ValueConversionError) in try encode(value) },
      decode: { plist throws(ValueConversionError) in
        var unreadable: [UnreadableElement] = []
        let value = try partial.decode(plist, &unreadable)
        if let first = unreadable.first { throw first.error }
        return value
      }, partial: partial, areEquivalent: areEquivalent)
  }

  // MARK: Elements

  /// Returns whether two containers with different stored forms have equal elements in the same
  /// places; nil if elements with different stored forms are never equal.
  private var comparisonOfElements: (@Sendable (PlistValue, PlistValue) -> Bool)? {
    if areEquivalent == nil { return nil }
    return { one, other in
      switch (one, other) {
      case (.array(let one), .array(let other)):
        one.count == other.count && zip(one, other).allSatisfy { isSame($0, $1) }
      case (.dictionary(let one), .dictionary(let other)):
        one.count == other.count
          && one.allSatisfy { key, value in other[key].map { isSame(value, $0) } ?? false }
      default: false
      }
    }
  }

  private func encodeAll(_ elements: some Collection<Value>) throws(ValueConversionError)
    -> [PlistValue]
  {
    var stored: [PlistValue] = []
    stored.reserveCapacity(elements.count)
    for (position, element) in elements.enumerated() {
      do throws(ValueConversionError) {
        stored.append(try encode(element) ?? .storedNil)
      } catch {
        throw error.within(String(position))
      }
    }
    return stored
  }
}

extension PlistValue {
  /// The value that is stored for nil where a value cannot be omitted: in an array or a dictionary,
  /// or under a key whose absence means its default.
  package static let storedNil: PlistValue = ["$nil": true]
}

extension [PlistValue] {
  /// The values, sorted by the bytes of their binary property lists.
  var sortedByBinaryForm: [PlistValue] {
    map { (form: (try? Plist.write($0, as: .binary)) ?? Data(), value: $0) }
      .sorted { $0.form.lexicographicallyPrecedes($1.form) }
      .map(\.value)
  }
}
