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
    let encode = encode
    return PlistCoder(
      isCostly: isCostly,
      encode: { value throws(ValueConversionError) in
        try encode(value) ?? .storedNil
      }, decode: decode, merge: merge, partial: partial,
      areEquivalent: areEquivalent)
  }

  /// A coder of arrays.
  package static func array<Element>(
    of element: PlistCoder<Element>
  ) -> PlistCoder<[Element]> where Value == [Element] {
    PlistCoder<[Element]>(
      isCostly: true,
      encode: { value throws(ValueConversionError) in
        .array(try element.encodeAll(value))
      },
      decode: { plist throws(ValueConversionError) in
        guard case .array(let elements) = plist else { throw .wrongKind("an array", plist) }
        return try element.decodeAll(elements)
      }, partial: .array(of: element),
      areEquivalent: element.comparisonOfElements)
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
    let array = PlistCoder<[Element]>.array(of: element)
    let decode: @Sendable (PlistValue) throws(ValueConversionError) -> Value = {
      plist throws(ValueConversionError) in make(try array.decode(plist))
    }
    let areEquivalent: @Sendable (PlistValue, PlistValue) -> Bool = { one, other in
      guard let one = try? decode(one), let other = try? decode(other) else { return false }
      return one == other
    }
    return PlistCoder(
      isCostly: true,
      encode: { value throws(ValueConversionError) in
        .array(try element.encodeAll(elements(value)).sortedByBinaryForm)
      }, decode: decode, partial: array.partial?.map(make),
      areEquivalent: element.areEquivalent == nil ? nil : areEquivalent)
  }

  /// A coder of sets.
  package static func set<Element: Hashable & SendableMetatype>(
    of element: PlistCoder<Element>
  ) -> PlistCoder<Set<Element>> where Value == Set<Element> {
    PlistCoder<Set<Element>>.unordered(of: element) {
      Array($0)
    } make: {
      Set($0)
    }
  }

  /// A coder of dictionaries, stored under the descriptions of their keys.
  package static func dictionary<Key: LosslessStringConvertible & Hashable, Element>(
    of element: PlistCoder<Element>
  ) -> PlistCoder<[Key: Element]> where Value == [Key: Element] {
    PlistCoder<[Key: Element]>(
      isCostly: true,
      unchecked: { value throws(ValueConversionError) in
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
      },
      decode: { plist throws(ValueConversionError) in
        guard case .dictionary(let entries) = plist else { throw .wrongKind("a dictionary", plist) }
        var value: [Key: Element] = [:]
        value.reserveCapacity(entries.count)
        for (text, stored) in entries {
          guard let key = Key(text) else {
            throw ValueConversionError.malformed("a key of type \(Key.self)").within(text)
          }
          do throws(ValueConversionError) {
            value[key] = try element.decode(stored)
          } catch {
            throw error.within(text)
          }
        }
        return value
      },
      partial: .dictionary(of: element) { text in Key(text).map { ($0, $0.description) } },
      areEquivalent: element.comparisonOfElements)
  }

  /// Creates a coder of closures that capture nothing but coders and are not `Sendable` to the
  /// compiler only because they use conformances of a dictionary's keys, for which the extension of
  /// `Dictionary` cannot require `SendableMetatype`.
  private init(
    isCostly: Bool, unchecked encode: @escaping (Value) throws(ValueConversionError) -> PlistValue?,
    decode: @escaping (PlistValue) throws(ValueConversionError) -> Value,
    partial: PartialCoding<Value>,
    areEquivalent: (@Sendable (PlistValue, PlistValue) -> Bool)?
  ) {
    nonisolated(unsafe) let encode = encode
    nonisolated(unsafe) let decode = decode
    self.init(
      isCostly: isCostly, encode: { value throws(ValueConversionError) in try encode(value) },
      decode: { plist throws(ValueConversionError) in try decode(plist) }, partial: partial,
      areEquivalent: areEquivalent)
  }

  // MARK: Elements

  /// Returns whether two containers that differ hold equal elements in the same places; nil if
  /// elements that differ are never equal.
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

  private func decodeAll(_ stored: [PlistValue]) throws(ValueConversionError) -> [Value] {
    var elements: [Value] = []
    elements.reserveCapacity(stored.count)
    for (position, value) in stored.enumerated() {
      do throws(ValueConversionError) {
        elements.append(try decode(value))
      } catch {
        throw error.within(String(position))
      }
    }
    return elements
  }
}

extension PlistValue {
  /// The value that is stored for nil where nothing cannot be: in an array or a dictionary, or
  /// under a key whose absence means its default.
  package static let storedNil: PlistValue = ["$nil": true]
}

extension [PlistValue] {
  /// The values, sorted by the bytes of their binary property lists.
  fileprivate var sortedByBinaryForm: [PlistValue] {
    map { (form: (try? Plist.write($0, as: .binary)) ?? Data(), value: $0) }
      .sorted { $0.form.lexicographicallyPrecedes($1.form) }
      .map(\.value)
  }
}
