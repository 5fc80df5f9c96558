internal import CommandLineInterface
internal import FoundationEssentials
internal import PropertyList

/// A three-way merge of texts by their lines. If both sides have changed a line, ours is used.
/// Adjacent changes are both made, ours before theirs. The caller reads the result to check that it
/// is the merged property list.
struct LineMerge {
  private(set) var text = Data()

  init(base: Data, ours: Data, theirs: Data) {
    let (base, ours, theirs) = (Self.lines(of: base), Self.lines(of: ours), Self.lines(of: theirs))
    var position = 0
    /// Our last inserted lines, and their place; both sides may have inserted the same lines.
    var inserted: (Range<Int>, ArraySlice<PlistValue>)?
    for region in PlistMerge.regions(base, ours, theirs, joinsTouching: false) {
      let (old, our, their) = (base[region.base], ours[region.ours], theirs[region.theirs])
      append(base[position..<region.base.lowerBound])
      position = region.base.upperBound
      if our.elementsEqual(old) {
        if let inserted, inserted == (region.base, their) { continue }
        append(their)
      } else if our.count == old.count, their.count == old.count {
        // If both sides have replaced the same lines one by one, each line that we have not changed
        // is taken from theirs.
        append(zip(old, zip(our, their)).map { old, new in new.0 == old ? new.1 : new.0 }[...])
      } else {
        append(our)
        inserted = (region.base, our)
      }
    }
    append(base[position...])
  }

  private mutating func append(_ lines: ArraySlice<PlistValue>) {
    for case .data(let line) in lines { text += line }
  }

  private static func lines(of text: Data) -> [PlistValue] { text.lines.map { .data(Data($0)) } }
}
