package import FoundationEssentials
package import PropertyList

/// A person's edit of a value in a text form, as a three-way merge.
///
/// A value that the person leaves alone is unchanged, even if the form does not hold all of it,
/// such as the fraction of a second.
package struct ValueEdit {
  private let form: TextForm
  private let key: String?
  /// The value that the person's changes are compared with; nil if it does not exist.
  private var base: PlistValue?
  /// The value that the text was written from.
  private var shown: PlistValue
  /// The value of the unchanged text.
  private var opened: PlistValue
  package private(set) var text: Data

  /// An edit of a property list or, in a dictionary, of the value of a key.
  ///
  /// - Throws: A `PlistError` for a value that the form cannot hold.
  package init(_ value: PlistValue, ofKey key: String? = nil, in form: TextForm) throws {
    self.form = form
    self.key = key
    (base, shown) = (value, value)
    text = try form.text(of: value)
    opened = try form.value(of: text)
  }

  /// Applies a text.
  ///
  /// - Parameter update: Calls a closure with the present property list, and stores the result. It may
  ///   call it more than once.
  package mutating func apply(
    _ text: Data, update: ((PlistValue) -> PlistValue) throws -> Void
  ) throws -> EditOutcome {
    let read = try form.value(of: text)
    // If the form does not hold all of a value, an unchanged text means the whole value.
    let edited = PlistMerge(base: opened, ours: read, theirs: shown).ours
    if key == nil, base?.kind == .dictionary, edited.kind != .dictionary {
      throw CommandFailure("expected a dictionary, not \(edited.kind.withArticle)")
    }
    var differences: [PlistDifference] = []
    var conflict: (merge: PlistMerge, present: PlistValue?)?
    try update { root in
      (differences, conflict) = ([], nil)
      let present = value(in: root)
      let merge = PlistMerge(
        base: rooted(base), ours: rooted(edited), theirs: rooted(present))
      guard merge.conflicts.isEmpty else {
        conflict = (merge, present)
        return root
      }
      let result = replacing(value(in: merge.ours), in: root)
      differences = root.differences(to: result)
      return result
    }
    guard let conflict else {
      return .applied(differences, isSaved: !differences.isEmpty, warnings: [])
    }
    base = conflict.present
    shown = value(in: conflict.merge.ours) ?? edited
    self.text = try form.text(of: shown)
    opened = try form.value(of: self.text)
    return .conflicts(conflict.merge.conflicts, text: self.text)
  }

  // MARK: Keys

  private func value(in root: PlistValue) -> PlistValue? {
    guard let key else { return root }
    guard case .dictionary(let values) = root else { return nil }
    return values[key]
  }

  /// The value in a dictionary under its key, so that the key paths of conflicts begin with the
  /// key.
  private func rooted(_ value: PlistValue?) -> PlistValue {
    replacing(value, in: [:])
  }

  private func replacing(_ value: PlistValue?, in root: PlistValue) -> PlistValue {
    guard let key else { return value ?? root }
    guard case .dictionary(var values) = root else { return root }
    values[key] = value
    return .dictionary(values)
  }
}
