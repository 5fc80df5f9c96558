import Foundation
import TestSupport
import Testing

@testable import PropertyList

/// A random edit of a random document, with what must hold after it.
struct RandomEdit {
  /// Returns an edit of a value.
  static func edit(of value: PlistValue, _ random: inout RandomText) -> PlistEdit {
    if random.chance(0.2) {
      var edited = value
      for _ in 0..<random.number(1...5) {
        try? single(of: edited, &random).apply(to: &edited)
      }
      return .update(edited)
    }
    return single(of: value, &random)
  }

  private static func single(of value: PlistValue, _ random: inout RandomText) -> PlistEdit {
    var paths: [PlistKeyPath] = []
    var containers: [PlistKeyPath] = []
    var walk = PlistTreeWalk(value, keyOrder: .document)
    while let event = walk.next() {
      switch event {
      case .open:
        containers.append(walk.keyPath)
        if !walk.keyPath.isRoot { paths.append(walk.keyPath) }
      case .leaf:
        if !walk.keyPath.isRoot { paths.append(walk.keyPath) }
      case .close: break
      }
    }
    let new = random.newValue()
    if paths.isEmpty || random.chance(0.35),
      let container = containers.randomElement(using: &random.generator)
    {
      let component: String
      if case .array(let elements)? = value[container] {
        component = String(random.number(0...elements.count))
      } else {
        component = random.key() + random.pick(["", "", "7"])
      }
      let path = PlistKeyPath(components: container.components + [component])
      let isPresent = if case .dictionary? = value[container] { value[path] != nil } else { false }
      return isPresent ? .replace(path, with: new) : .insert(new, at: path)
    }
    guard let path = paths.randomElement(using: &random.generator) else {
      return .replace(PlistKeyPath(), with: random.chance(0.5) ? ["a": new] : ["b": "c"])
    }
    return random.chance(0.5) ? .replace(path, with: new) : .remove(path)
  }

  // MARK: What stays

  /// The texts of the values and comments of a document, for comparison with an edited one.
  struct Texts {
    /// The text of each value that is not a container, with its key, by its path. The last of equal
    /// keys counts.
    var leaves: [PlistKeyPath: String] = [:]
    var comments: [(text: String, range: Range<Int>)] = []
    private var ranges: [PlistKeyPath: [Range<Int>]] = [:]

    init(_ data: Data, as format: PlistFormat) throws {
      let options = PlistReadOptions.with { $0.recordsIndex = true }
      let read = try Plist.readText(data, as: format, options: options)
      let text = try #require(read.indexed).withRoot
      func slice(_ range: Range<Int>) -> String {
        String(decoding: text.bytes[range], as: UTF8.self)
      }
      var open: [(next: Int, value: PlistValue, path: [String])] = []
      var replaced: Set<Int> = []
      var end = 0
      for (number, entry) in text.index.entries.enumerated() where number >= end {
        while let last = open.last, last.next <= number { open.removeLast() }
        if replaced.contains(number) { end = entry.next }
        var path: [String] = []
        var value = read.value
        if let parent = open.last {
          switch parent.value {
          case .dictionary(let dictionary):
            path = parent.path + [dictionary.key(at: entry.position)]
          default: path = parent.path + [String(entry.position)]
          }
          value = read.value[PlistKeyPath(components: path)] ?? .null
        }
        let keyPath = PlistKeyPath(components: path)
        ranges[keyPath, default: []].append(entry.start..<entry.value.upperBound)
        if replaced.contains(number) { continue }
        if entry.contents != nil {
          var last: [Int: Int] = [:]
          for child in text.index.children(of: number) {
            let position = text.index.entries[child].position
            if let other = last.updateValue(child, forKey: position) { replaced.insert(other) }
          }
          open.append((entry.next, value, path))
        } else {
          leaves[keyPath] = slice(entry.start..<entry.keyEnd) + "|" + slice(entry.value)
        }
      }
      comments = text.index.comments.map { (slice($0), $0) }
    }

    /// Whether a comment is inside a value, or between its neighbors.
    func isNear(_ comment: Range<Int>, _ path: PlistKeyPath) -> Bool {
      let siblings = ranges.filter {
        $0.key.components.dropLast() == path.components.dropLast()
          && $0.key.components.count == path.components.count
      }
      return ranges[path, default: []].contains { range in
        let all = siblings.values.joined()
        let low = all.map(\.upperBound).filter { $0 <= range.lowerBound }.max() ?? 0
        let high = all.map(\.lowerBound).filter { $0 >= range.upperBound }.min() ?? .max
        return comment.lowerBound >= low && comment.upperBound <= high
      }
    }

    func isInside(_ comment: Range<Int>, _ path: PlistKeyPath) -> Bool {
      ranges[path, default: []].contains { $0.contains(comment.lowerBound) }
    }
  }

  /// Returns what is wrong about the texts after an edit; nil if nothing is.
  static func problem(
    _ edit: PlistEdit, from old: Texts, to new: Texts, in value: PlistValue
  ) -> String? {
    var lost = old.comments.map { ($0.text, $0.range) }
    var rest = new.comments.map(\.text)[...]
    lost.removeAll { comment in
      if comment.0 == "/* no entries */" { return true }
      guard let position = rest.firstIndex(of: comment.0) else { return false }
      rest = rest[(position + 1)...]
      return true
    }
    let edited: PlistKeyPath
    switch edit {
    case .update, .append: return nil
    case .insert(_, let path):
      edited = path
      if let comment = lost.first { return "an insertion loses \(comment.0)" }
    case .replace(let path, _):
      edited = path
      if let comment = lost.first(where: { !old.isInside($0.1, path) }) {
        return "a replacement loses \(comment.0)"
      }
    case .remove(let path):
      edited = path
      if let comment = lost.first(where: { !old.isNear($0.1, path) }) {
        return "a removal loses \(comment.0)"
      }
    }
    for (path, text) in old.leaves where !path.components.starts(with: edited.components) {
      guard let moved = path.moved(by: edit, in: value), new.leaves[moved] == text else {
        return "\(path) was \(text) and is \(new.leaves[path] ?? "missing")"
      }
    }
    return nil
  }
}

extension PlistKeyPath {
  /// The path after an edit of another value, which may move elements of an array.
  fileprivate func moved(by edit: PlistEdit, in value: PlistValue) -> PlistKeyPath? {
    let (path, offset): (PlistKeyPath, Int)
    switch edit {
    case .insert(_, let place): (path, offset) = (place, 1)
    case .remove(let place): (path, offset) = (place, -1)
    case .replace, .append, .update: return self
    }
    let depth = path.components.count - 1
    let container = PlistKeyPath(components: Array(path.components[..<depth]))
    guard case .array? = value[container], components.count > depth,
      components.starts(with: container.components),
      let index = Int(components[depth]), let edited = Int(path.components[depth]), index >= edited
    else { return self }
    var moved = self
    moved.components[depth] = String(index + offset)
    return moved
  }
}
