/// A three-way merge of property lists by key path. If only one side has changed a value, its value
/// is used; if both have changed it in the same way, the common value is used. Dictionaries are
/// merged key by key, arrays by their changed ranges of elements, sets by their elements. All other
/// changes by both sides are conflicts.
package struct PlistMerge {
  /// A value that both sides have changed, each in its own way; nil where it does not exist.
  package struct Conflict: Sendable {
    package let path: PlistKeyPath
    package let base: PlistValue?
    package let ours: PlistValue?
    package let theirs: PlistValue?
  }

  /// The merged value with our values where there are conflicts.
  package let ours: PlistValue
  /// The merged value with their values where there are conflicts.
  package let theirs: PlistValue
  /// The conflicts, in the order of our document.
  package let conflicts: [Conflict]

  /// Merges two property lists that were made from the base, which is nil if there was none.
  package init(base: PlistValue?, ours: PlistValue, theirs: PlistValue) {
    var merger = Merger()
    let merged = merger.merge(base, ours, theirs)
    // Values that exist on both sides exist in the result.
    self.ours = merged.ours ?? ours
    self.theirs = merged.theirs ?? theirs
    conflicts = merger.conflicts
  }

  /// The ranges of three arrays between elements that all of them have, in order.
  package struct Region {
    package let base: Range<Int>
    package let ours: Range<Int>
    package let theirs: Range<Int>
  }

  /// The changed ranges. Changes of both sides that overlap are one region.
  ///
  /// - Parameter joinsTouching: Whether adjacent changes are also one region, because their order
  ///   would be a guess. Otherwise ours precede theirs.
  package static func regions(
    _ base: [PlistValue], _ ours: [PlistValue], _ theirs: [PlistValue], joinsTouching: Bool
  ) -> [Region] {
    var remaining = [ours, theirs].map { ArrayAlignment(of: base, with: $0).changes[...] }
    var regions: [Region] = []
    /// How far the positions on each side are after the positions in the base.
    var shifts = [0, 0]
    func nextRange(_ side: Int) -> Range<Int>? { remaining[side].first?.first }
    while true {
      let nearest = [0, 1].filter { !remaining[$0].isEmpty }.min { side, other in
        guard let range = nextRange(side), let next = nextRange(other) else { return false }
        return (range.lowerBound, range.upperBound) < (next.lowerBound, next.upperBound)
      }
      guard let nearest, let start = nextRange(nearest)?.lowerBound else { return regions }
      var end = start
      var grown = shifts
      var side: Int? = nearest
      while let current = side {
        let change = remaining[current].removeFirst()
        end = max(end, change.first.upperBound)
        grown[current] += change.second.count - change.first.count
        side = [0, 1].first { side in
          nextRange(side).map { $0.lowerBound < end + (joinsTouching ? 1 : 0) } ?? false
        }
      }
      regions.append(
        Region(
          base: start..<end, ours: start + shifts[0]..<end + grown[0],
          theirs: start + shifts[1]..<end + grown[1]))
      shifts = grown
    }
  }
}

/// A merged value in two versions, with our and with their values where there are conflicts; nil if
/// it does not exist.
private struct Merged {
  var ours: PlistValue?
  var theirs: PlistValue?

  init(_ value: PlistValue?) { (ours, theirs) = (value, value) }

  init(ours: PlistValue?, theirs: PlistValue?) { (self.ours, self.theirs) = (ours, theirs) }
}

/// Merges values. Readers limit the depth of values, and so the depth of the recursion.
private struct Merger {
  var conflicts: [PlistMerge.Conflict] = []
  private var path: [String] = []

  mutating func merge(_ base: PlistValue?, _ ours: PlistValue?, _ theirs: PlistValue?) -> Merged {
    if ours == theirs { return Merged(ours) }
    if ours == base { return Merged(theirs) }
    if theirs == base { return Merged(ours) }
    switch (base, ours, theirs) {
    case (nil, .dictionary(let ours)?, .dictionary(let theirs)?): return merge([:], ours, theirs)
    case (.dictionary(let base)?, .dictionary(let ours)?, .dictionary(let theirs)?)
    where !isArchive(base) && !isArchive(ours) && !isArchive(theirs):
      return merge(base, ours, theirs)
    case (.array(let base)?, .array(let ours)?, .array(let theirs)?):
      return merge(base, ours, theirs)
    case (.set(let base)?, .set(let ours)?, .set(let theirs)?): return mergeSets(base, ours, theirs)
    default: return conflict(base, ours, theirs)
    }
  }

  private mutating func conflict(
    _ base: PlistValue?, _ ours: PlistValue?, _ theirs: PlistValue?
  ) -> Merged {
    conflicts.append(
      PlistMerge.Conflict(
        path: PlistKeyPath(components: path), base: base, ours: ours, theirs: theirs))
    return Merged(ours: ours, theirs: theirs)
  }

  /// Whether a dictionary is a keyed archive, whose objects refer to one another by their numbers:
  /// a mixture of two archives is not a valid archive.
  private func isArchive(_ dictionary: PlistDictionary) -> Bool {
    dictionary["$archiver"] != nil && dictionary["$objects"] != nil
  }

  private mutating func merge(
    _ base: PlistDictionary, _ ours: PlistDictionary, _ theirs: PlistDictionary
  ) -> Merged {
    var result = (ours: PlistDictionary(), theirs: PlistDictionary())
    let keys = ours.map(\.key) + theirs.lazy.map(\.key).filter { ours[$0] == nil }
    for key in keys {
      path.append(key)
      let merged = merge(base[key], ours[key], theirs[key])
      path.removeLast()
      if let value = merged.ours { result.ours.updateValue(value, forKey: key) }
      if let value = merged.theirs { result.theirs.updateValue(value, forKey: key) }
    }
    return Merged(ours: .dictionary(result.ours), theirs: .dictionary(result.theirs))
  }

  private mutating func merge(
    _ base: [PlistValue], _ ours: [PlistValue], _ theirs: [PlistValue]
  ) -> Merged {
    var result = (ours: [PlistValue](), theirs: [PlistValue]())
    var position = 0
    for region in PlistMerge.regions(base, ours, theirs, joinsTouching: true) {
      let unchanged = base[position..<region.base.lowerBound]
      result.ours += unchanged
      result.theirs += unchanged
      position = region.base.upperBound
      let (old, our, their) = (base[region.base], ours[region.ours], theirs[region.theirs])
      if old.elementsEqual(our) {
        result.ours += their
        result.theirs += their
      } else if old.elementsEqual(their) || our.elementsEqual(their) {
        result.ours += our
        result.theirs += our
      } else if old.count == our.count, old.count == their.count {
        for (offset, value) in old.enumerated() {
          path.append(String(our.startIndex + offset))
          let merged = merge(value, our[our.startIndex + offset], their[their.startIndex + offset])
          path.removeLast()
          result.ours += merged.ours.map { [$0] } ?? []
          result.theirs += merged.theirs.map { [$0] } ?? []
        }
      } else {
        path.append(String(our.startIndex))
        _ = conflict(.array(Array(old)), .array(Array(our)), .array(Array(their)))
        path.removeLast()
        result.ours += our
        result.theirs += their
      }
    }
    let unchanged = base[position...]
    return Merged(ours: .array(result.ours + unchanged), theirs: .array(result.theirs + unchanged))
  }

  private func mergeSets(_ base: [PlistValue], _ ours: [PlistValue], _ theirs: [PlistValue])
    -> Merged
  {
    let (old, our, their) = (Set(base), Set(ours), Set(theirs))
    let kept = ours.filter { their.contains($0) || !old.contains($0) }
    let added = theirs.filter { !our.contains($0) && !old.contains($0) }
    return Merged(.set(kept + added))
  }
}
