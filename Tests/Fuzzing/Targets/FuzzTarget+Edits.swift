import Foundation
import PropertyList

extension FuzzTarget {
  /// Edits of a document whose text is kept, at places that depend on its bytes.
  ///
  /// After each edit the document has the edited value, and so do its bytes when they are read
  /// again.
  static let edits = FuzzTarget(name: "edits") { data in
    for format in [nil, PlistFormat.openStep] {
      var options = PlistReadOptions.small
      options.allowsTypedValues = true
      guard var document = try? EditedPlistDocument(data, as: format, options: options),
        document.format != .binary
      else { continue }
      var places = Places(data)
      for _ in 0..<4 {
        let edit = places.edit(of: document.value)
        var expected = document.value
        try edit.apply(to: &expected)
        do throws(PlistEditError) {
          try edit.apply(to: &document)
        } catch {
          try expectLine(error)
          guard case .unwritable = error.kind else {
            throw Finding(description: "an edit is refused: \(error)")
          }
          continue
        }
        try expect(document.value == expected, "\(edit.path) is edited to another value")
        try expect(
          document.rewriteReason != .otherValue, "the text around \(edit.path) cannot be kept")
        let read = try Plist.read(document.data, as: document.format, options: options)
        try expect(read.value == expected, "the text around \(edit.path) has another value")
      }
    }
  }
}

/// An edit at a path.
private struct Edit {
  enum Action {
    case insert(PlistValue)
    case replace(PlistValue)
    case remove
  }

  let path: PlistKeyPath
  let action: Action

  func apply(to value: inout PlistValue) throws(PlistEditError) {
    switch action {
    case .insert(let new): try value.insert(new, at: path)
    case .replace(let new): try value.replace(at: path, with: new)
    case .remove: try value.remove(at: path)
    }
  }

  func apply(to document: inout EditedPlistDocument) throws(PlistEditError) {
    switch action {
    case .insert(let new): try document.insert(new, at: path)
    case .replace(let new): try document.replace(at: path, with: new)
    case .remove: try document.remove(at: path)
    }
  }
}

/// Places of edits, chosen by the bytes of a document.
private struct Places {
  private var state: UInt64

  init(_ data: Data) {
    state = data.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }

  private mutating func number(below limit: Int) -> Int {
    state = state &* 0x5851_F42D_4C95_7F2D &+ 0x1405_7B7E_F767_814F
    return Int(state >> 33) % limit
  }

  /// Values that all text formats can hold.
  private static let values: [PlistValue] = [
    "x", "two words", "é\"'<&>\n//", [], [:], ["a", ["b": "c"]], ["k": ["v", "w"], "": "e"],
  ]

  mutating func edit(of root: PlistValue) -> Edit {
    var paths: [PlistKeyPath] = []
    var walk = PlistTreeWalk(root, keyOrder: .document)
    while paths.count < 100, let event = walk.next() {
      if case .close = event { continue }
      paths.append(walk.keyPath)
    }
    let path = paths[number(below: paths.count)]
    let value = Self.values[number(below: Self.values.count)]
    var inner = path
    switch root[path] {
    case .dictionary(let dictionary)? where number(below: 2) == 0:
      inner.components.append("key \(number(below: 9))")
      if dictionary[inner.components[inner.components.count - 1]] != nil { break }
      return Edit(path: inner, action: .insert(value))
    case .array(let elements)? where number(below: 2) == 0:
      inner.components.append(String(number(below: elements.count + 1)))
      return Edit(path: inner, action: .insert(value))
    default: break
    }
    guard !path.isRoot, number(below: 2) == 0 else {
      return Edit(path: path, action: .replace(value))
    }
    return Edit(path: path, action: .remove)
  }
}
