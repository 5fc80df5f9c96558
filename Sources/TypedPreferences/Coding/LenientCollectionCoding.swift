package import PropertyList

/// The coding of a collection if some stored elements cannot be decoded, for example after a change
/// of the elements' type, or because another version of the program has stored them.
package struct LenientCollectionCoding<Value>: Sendable {
  /// Returns the elements that can be decoded, and lists the others.
  ///
  /// The closure throws if nothing can be decoded: the stored value is not a collection, or none of
  /// its elements can be decoded. Elements are also listed in the latter case.
  package let decode:
    @Sendable (PlistValue, inout [UnreadableElement]) throws(ValueConversionError) -> Value
  /// Returns an encoded value together with the stored elements that cannot be decoded; an empty
  /// value stays empty.
  package let keepUnreadable: @Sendable (_ encoded: PlistValue, _ stored: PlistValue) -> PlistValue

  /// Returns the coding of a type that has the elements of this one.
  package func map<Other>(
    _ make: @escaping @Sendable (Value) -> Other
  ) -> LenientCollectionCoding<Other> {
    LenientCollectionCoding<Other>(
      decode: { [decode] plist, unreadable throws(ValueConversionError) in
        make(try decode(plist, &unreadable))
      }, keepUnreadable: keepUnreadable)
  }
}

/// A stored element that cannot be decoded.
package struct UnreadableElement: Sendable {
  package var stored: PlistValue
  /// Why the element cannot be decoded, with its path within the collection.
  package var error: ValueConversionError
}

extension PlistCoder {
  /// Returns a stored value, or as much of it as can be decoded; nil if nothing can be.
  package func decodeAvailable(_ stored: PlistValue) -> Value? {
    var unreadable: [UnreadableElement] = []
    return decodeElement(stored, at: "", &unreadable)
  }

  /// Returns a stored element of a collection, or as much of it as can be decoded; nil if nothing
  /// can be.
  ///
  /// - Parameters:
  ///   - stored: The stored element.
  ///   - component: The key or the position of the element in the collection.
  ///   - unreadable: Receives the parts that cannot be decoded.
  func decodeElement(
    _ stored: PlistValue, at component: @autoclosure () -> String,
    _ unreadable: inout [UnreadableElement]
  ) -> Value? {
    do throws(ValueConversionError) {
      return try decode(stored)
    } catch {
      var inner: [UnreadableElement] = []
      if let partial, let value = try? partial.decode(stored, &inner) {
        for element in inner {
          unreadable.append(
            UnreadableElement(
              stored: element.stored, error: element.error.within(component())))
        }
        return value
      }
      unreadable.append(UnreadableElement(stored: stored, error: error.within(component())))
      return nil
    }
  }
}

// MARK: Arrays

extension LenientCollectionCoding {
  static func array<Element>(of element: PlistCoder<Element>) -> LenientCollectionCoding<[Element]>
  {
    LenientCollectionCoding<[Element]>(
      decode: { plist, unreadable throws(ValueConversionError) in
        guard case .array(let stored) = plist else { throw .wrongKind("an array", plist) }
        var elements: [Element] = []
        elements.reserveCapacity(stored.count)
        for (position, value) in stored.enumerated() {
          guard let element = element.decodeElement(value, at: String(position), &unreadable) else {
            continue
          }
          elements.append(element)
        }
        if elements.isEmpty, let first = unreadable.first { throw first.error }
        return elements
      },
      keepUnreadable: { encoded, stored in
        guard case .array(let new) = encoded, case .array(let old) = stored, !new.isEmpty else {
          return encoded
        }
        return .array(element.keepUnreadable(of: old, in: new))
      })
  }
}

extension PlistCoder {
  /// Returns encoded elements, with the unreadable elements of a stored array inserted, each after
  /// the readable element that it followed.
  ///
  /// Readable elements that are gone are treated as replaced by the new ones, in order. If such an
  /// element is not replaced, the unreadable element follows the previous readable one, or comes
  /// first if there is none.
  fileprivate func keepUnreadable(of old: [PlistValue], in new: [PlistValue]) -> [PlistValue] {
    var readable: [PlistValue] = []
    /// The stored form of the readable elements, encoded again.
    var forms: [PlistValue] = []
    /// The unreadable elements before the first readable one, after it, after the second…
    var unreadable: [[PlistValue]] = [[]]
    for stored in old {
      if let value = decodeAvailable(stored) {
        readable.append(stored)
        forms.append(((try? encode(value)) ?? nil) ?? .storedNil)
        unreadable.append([])
      } else {
        unreadable[readable.count].append(stored)
      }
    }

    let positions = Self.positions(of: forms, in: new)
    var elements = new
    var behind: [Int: [PlistValue]] = [:]
    var predecessor = -1
    behind[predecessor] = unreadable[0]
    for (index, position) in positions.enumerated() {
      if let position {
        if let partial {
          elements[position] = partial.keepUnreadable(elements[position], readable[index])
        }
        predecessor = position
      }
      behind[predecessor, default: []] += unreadable[index + 1]
    }
    return (behind[-1] ?? []) + elements.indices.flatMap { [elements[$0]] + (behind[$0] ?? []) }
  }

  /// Returns the position of each old element, or of its replacement, in the new elements.
  private static func positions(of old: [PlistValue], in new: [PlistValue]) -> [Int?] {
    // Equal elements are matched in order, so the first one must be last in the list.
    var equal: [PlistValue: [Int]] = [:]
    for position in new.indices.reversed() { equal[new[position], default: []].append(position) }
    var positions = old.map { equal[$0]?.popLast() }
    var replacements = Set(new.indices).subtracting(positions.compactMap { $0 }).sorted()[...]
    for index in old.indices where positions[index] == nil {
      positions[index] = replacements.popFirst()
    }
    return positions
  }
}

// MARK: Dictionaries

extension LenientCollectionCoding {
  /// The coding of dictionaries.
  ///
  /// - Parameters:
  ///   - element: The coder of the values.
  ///   - key: Returns the key that a text represents and the key's own text; nil if the text is not
  ///     a key.
  static func dictionary<Key, Element>(
    of element: PlistCoder<Element>, key: @escaping (String) -> (key: Key, text: String)?
  ) -> LenientCollectionCoding<[Key: Element]> {
    LenientCollectionCoding<[Key: Element]>(
      unchecked: { plist, unreadable throws(ValueConversionError) in
        guard case .dictionary(let stored) = plist else { throw .wrongKind("a dictionary", plist) }
        var values: [Key: Element] = [:]
        values.reserveCapacity(stored.count)
        for (text, value) in stored {
          if let (key, _) = key(text) {
            values[key] = element.decodeElement(value, at: text, &unreadable) ?? values[key]
          } else {
            let error = ValueConversionError.malformed("a key of type \(Key.self)").within(text)
            unreadable.append(UnreadableElement(stored: value, error: error))
          }
        }
        if values.isEmpty, let first = unreadable.first { throw first.error }
        return values
      },
      keepUnreadable: { encoded, stored in
        guard case .dictionary(var new) = encoded, case .dictionary(let old) = stored, !new.isEmpty
        else { return encoded }
        for (text, value) in old {
          guard let name = key(text)?.text, element.decodeAvailable(value) != nil else {
            if new[text] == nil { new[text] = value }
            continue
          }
          if let partial = element.partial, let entry = new[name] {
            new[name] = partial.keepUnreadable(entry, value)
          }
        }
        return .dictionary(PlistDictionary(new.map { ($0.key, $0.value) }.sorted { $0.0 < $1.0 }))
      })
  }

  /// Creates the coding from closures that capture only coders and the conformances of a
  /// dictionary's keys, as the coder of dictionaries does.
  private init(
    unchecked decode:
      @escaping (PlistValue, inout [UnreadableElement]) throws(ValueConversionError) -> Value,
    keepUnreadable: @escaping (_ encoded: PlistValue, _ stored: PlistValue) -> PlistValue
  ) {
    nonisolated(unsafe) let decode = decode
    nonisolated(unsafe) let keepUnreadable = keepUnreadable
    self.init(
      decode: { plist, unreadable throws(ValueConversionError) in
        try decode(plist, &unreadable)
      }, keepUnreadable: { encoded, stored in keepUnreadable(encoded, stored) })
  }
}
