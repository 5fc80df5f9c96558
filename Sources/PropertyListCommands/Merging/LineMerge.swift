internal import FoundationEssentials
internal import PropertyList

/// A three-way merge of texts by their lines. A line that both sides have changed is ours. Changes
/// that only touch are both made, ours before theirs: whether the result is the merged property
/// list is up to the caller, who reads it.
struct LineMerge {
  /// A change of one side: the lines instead of a range of the base.
  private struct Change: Equatable {
    var base: Range<Int>
    var lines: [PlistValue]

    /// Whether both change the same lines, or one inserts lines among those that the other changes.
    func overlaps(_ other: Change) -> Bool {
      base.lowerBound < other.base.upperBound && other.base.lowerBound < base.upperBound
    }
  }

  private(set) var text = Data()
  private let base: [PlistValue]
  /// The changes that have not been made yet.
  private var ours: ArraySlice<Change>
  private var theirs: ArraySlice<Change>

  init(base: Data, ours: Data, theirs: Data) {
    self.base = Self.lines(of: base)
    self.ours = Self.changes(from: self.base, to: Self.lines(of: ours))[...]
    self.theirs = Self.changes(from: self.base, to: Self.lines(of: theirs))[...]
    var position = 0
    while let next = takeNext() {
      append(self.base[position..<next.base.lowerBound])
      append(next.lines[...])
      position = next.base.upperBound
    }
    append(self.base[position...])
  }

  private mutating func append(_ lines: ArraySlice<PlistValue>) {
    for case .data(let line) in lines { text += line }
  }

  private mutating func takeNext() -> Change? {
    guard let our = ours.first, let their = theirs.first else {
      return ours.popFirst() ?? theirs.popFirst()
    }
    if our == their {
      theirs.removeFirst()
      return ours.popFirst()
    }
    if our.overlaps(their) { return takeOverlapping() }
    let areOursFirst =
      (our.base.lowerBound, our.base.upperBound) <= (their.base.lowerBound, their.base.upperBound)
    return areOursFirst ? ours.popFirst() : theirs.popFirst()
  }

  /// Takes the changes of both sides that overlap as one.
  private mutating func takeOverlapping() -> Change? {
    guard let first = ours.popFirst() else { return nil }
    var (our, their) = ([first], [Change]())
    var region = first.base
    func overlaps(_ change: Change?) -> Bool {
      change.map { $0.overlaps(Change(base: region, lines: [])) } ?? false
    }
    func take(_ changes: inout ArraySlice<Change>, _ taken: inout [Change]) {
      let next = changes.removeFirst()
      taken.append(next)
      region =
        min(region.lowerBound, next.base.lowerBound)..<max(region.upperBound, next.base.upperBound)
    }
    while true {
      if overlaps(ours.first) {
        take(&ours, &our)
      } else if overlaps(theirs.first) {
        take(&theirs, &their)
      } else {
        break
      }
    }
    var merged = lines(in: region, after: our)
    let other = lines(in: region, after: their)
    if merged.count == region.count, other.count == region.count {
      // Of lines that stand for the same ones, those that we have not changed are theirs.
      for (offset, line) in base[region].enumerated() where merged[offset] == line {
        merged[offset] = other[offset]
      }
    }
    return Change(base: region, lines: merged)
  }

  /// The lines of one side instead of a range of the base.
  private func lines(in region: Range<Int>, after changes: [Change]) -> [PlistValue] {
    var lines: [PlistValue] = []
    var position = region.lowerBound
    for change in changes {
      lines += base[position..<change.base.lowerBound] + change.lines
      position = change.base.upperBound
    }
    return lines + base[position..<region.upperBound]
  }

  private static func lines(of text: Data) -> [PlistValue] {
    var lines: [PlistValue] = []
    var rest = text[...]
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      lines.append(.data(Data(rest[...end])))
      rest = rest[(end + 1)...]
    }
    return rest.isEmpty ? lines : lines + [.data(Data(rest))]
  }

  private static func changes(from old: [PlistValue], to new: [PlistValue]) -> [Change] {
    ArrayAlignment(of: old, with: new).changes.map {
      Change(base: $0.first, lines: Array(new[$0.second]))
    }
  }
}
