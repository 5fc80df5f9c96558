/// A three-way merge of property lists by key path. A value that only one side has changed is that
/// side's; one that both have changed in the same way is that of both. Dictionaries are merged key
/// by key, arrays by their changed ranges of elements, sets by their elements. Everything else that
/// both have changed is a conflict.
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

  /// Merges two property lists that were made from the base; nil if there was none.
  package init(base: PlistValue?, ours: PlistValue, theirs: PlistValue) {
    var merger = Merger()
    let merged = merger.merge(base, ours, theirs)
    // Values that exist on both sides exist in the result.
    self.ours = merged.ours ?? ours
    self.theirs = merged.theirs ?? theirs
    conflicts = merger.conflicts
  }
}

/// A merged value, as it is with our and with their values where there are conflicts; nil if it
/// does not exist.
private struct Merged {
  var ours: PlistValue?
  var theirs: PlistValue?

  init(_ value: PlistValue?) { (ours, theirs) = (value, value) }

  init(ours: PlistValue?, theirs: PlistValue?) { (self.ours, self.theirs) = (ours, theirs) }
}

/// Merges values. Readers limit the depth of values, and so that of the recursion.
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

  /// Whether a dictionary is a keyed archive, whose objects refer to one another by their numbers,
  /// so that a mixture of two archives is none.
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
    for region in Self.regions(base, ours, theirs) {
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

  /// The ranges of the three arrays between elements that all of them have, in order.
  private struct Region {
    var base: Range<Int>
    var ours: Range<Int>
    var theirs: Range<Int>
  }

  /// The changed ranges. Changes of both sides that overlap or touch are one region, since their
  /// order would be a guess.
  private static func regions(
    _ base: [PlistValue], _ ours: [PlistValue], _ theirs: [PlistValue]
  ) -> [Region] {
    let ourChanges = ArrayAlignment(of: base, with: ours).changes
    let theirChanges = ArrayAlignment(of: base, with: theirs).changes
    var regions: [Region] = []
    var (our, their) = (ourChanges[...], theirChanges[...])
    /// How far the elements of each side are behind those of the base.
    var shift = (ours: 0, theirs: 0)
    while let start = [our.first, their.first].compactMap({ $0?.first.lowerBound }).min() {
      var end = start
      var grown = (ours: shift.ours, theirs: shift.theirs)
      var hasGrown = true
      while hasGrown {
        hasGrown = false
        if let change = our.first, change.first.lowerBound <= end {
          our.removeFirst()
          end = max(end, change.first.upperBound)
          grown.ours += change.second.count - change.first.count
          hasGrown = true
        }
        if let change = their.first, change.first.lowerBound <= end {
          their.removeFirst()
          end = max(end, change.first.upperBound)
          grown.theirs += change.second.count - change.first.count
          hasGrown = true
        }
      }
      regions.append(
        Region(
          base: start..<end, ours: start + shift.ours..<end + grown.ours,
          theirs: start + shift.theirs..<end + grown.theirs))
      shift = grown
    }
    return regions
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
