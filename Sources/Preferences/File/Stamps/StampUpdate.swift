internal import FoundationEssentials
package import PropertyList

/// A synchronizer's changes of a domain, in one commit with the program's changes.
package struct StampUpdate: Sendable {
  /// A value from elsewhere, or a better time for the value that a key has.
  package struct Write: Sendable {
    var key: String
    /// Nil for a removal.
    package var value: PlistValue?
    package var time: HybridTime?
    /// What the synchronizer knows about the key.
    package var known: StampedValue

    /// - Parameter time: Nil for a time that is not known.
    package init(
      _ value: PlistValue?, at time: HybridTime?, forKey key: String, over known: StampedValue
    ) {
      (self.key, self.value, self.time, self.known) = (key, value, time, known)
    }
  }

  var tracker: String
  package var tracked: [String] = []
  package var untracked: [String] = []
  package var writes: [Write] = []

  /// - Parameter tracker: A name of the synchronizer without spaces and commas.
  package init(by tracker: String) { self.tracker = tracker }

  package var isEmpty: Bool { tracked.isEmpty && untracked.isEmpty && writes.isEmpty }
}

/// What a domain knows about a key: a hash of its value, and the stamp of this value or of an
/// earlier one.
package struct StampedValue: Sendable, Hashable {
  /// 0 for no value.
  package var hash: UInt64
  package var stamp: Stamps.Stamp?

  package init(_ value: PlistValue?, _ stamp: Stamps.Stamp?) {
    hash = value.map(ValueHash.of) ?? 0
    self.stamp = stamp
  }

  init(_ value: PlistValue?, at time: HybridTime) {
    self.init(value, nil)
    stamp = Stamps.Stamp(time: time, hash: hash)
  }

  /// The time of the value, or of its removal; nil if a program without stamps has changed it, or if
  /// it is not known.
  package var time: HybridTime? { stamp.flatMap { $0.hash == hash ? $0.time : nil } }
}

/// The stamps of a commit in a synchronized domain.
struct Stamping {
  /// What the process knows about the stamps of the file.
  let known: KnownStamps
  /// The values that the process knows, without its own changes.
  let values: PlistDictionary
  /// The keys that the process has changed.
  let ownKeys: [String]
  let update: StampUpdate?
  /// The time of the changes.
  let date: Date

  /// Nil if, as far as the process knows, the domain is not synchronized.
  init?(
    _ known: KnownStamps?, values: PlistDictionary, ownKeys: [String], _ update: StampUpdate?
  ) {
    guard known?.text != nil || update != nil else { return nil }
    self.known = known ?? KnownStamps()
    (self.values, self.ownKeys) = (values, ownKeys)
    self.update = update
    date = known?.clock?.date ?? .now
  }

  /// Nil if the file has no stamps either.
  init?(found text: StampText?) {
    if text == nil { return nil }
    (known, values, ownKeys) = (KnownStamps(), PlistDictionary(), [])
    (update, date) = (nil, .now)
  }
}

extension Merge {
  /// Stamps the tracked keys that the commit changes, and applies an update on top.
  ///
  /// - Parameters:
  ///   - isKnown: Whether the found contents are the same as at the last read or commit.
  ///   - path: The path of the file.
  ///   - isRounded: Whether the commit rounds dates.
  mutating func stamp(_ stamping: Stamping, isKnown: Bool, at path: String, isRounded: Bool) {
    contents.values[Stamps.key] = nil
    var known = stamping.known
    if !isKnown { known.didRead(contents.stamps) }
    // Text of a later version is not changed.
    guard var stamps = known.stamps ?? (stamping.update == nil ? nil : Stamps()) else { return }
    if let update = stamping.update {
      for key in update.untracked { stamps.untrack(key, by: update.tracker) }
      // A change that is saved in the same commit also gets a stamp.
      stamps.track(update.tracked, by: update.tracker)
    }
    // A value that was set is a change, even if the file has the same value again.
    let changed =
      isKnown ? [] : stamping.ownKeys.filter { stamping.values[$0] != contents.values[$0] }
    stampChanges(
      &stamps, Set(changed.map { ByteKey($0) }), at: stamping.date, path, isRounded: isRounded)
    for write in stamping.update?.writes ?? [] { apply(write, &stamps, isRounded: isRounded) }
    if let stored = known.stored, stored.stamps == stamps {
      contents.stamps = stored
    } else {
      contents.stamps = stamps.isEmpty ? nil : StampText(stamps)
    }
  }

  private mutating func stampChanges(
    _ stamps: inout Stamps, _ set: Set<ByteKey>, at now: Date, _ path: String, isRounded: Bool
  ) {
    var origin: String?
    for (key, entry) in stamps.tracked {
      let (old, new) = (found[key.text], contents.values[key.text])
      if old == new, !set.contains(key) { continue }
      if isRounded, let old, let new, old.withWholeSeconds == new, !set.contains(key) {
        // Rounding alone does not change when the key got its value.
        guard StampedValue(old, entry.stamp).time != nil else { continue }
        stamps.set(entry.stamp.flatMap { StampedValue(new, at: $0.time).stamp }, forKey: key.text)
      } else {
        let name = origin ?? stamps.origin(of: KnownStamps.machine(path: path))
        origin = name
        let time = HybridTime.next(after: entry.stamp?.time, at: now, by: name)
        stamps.set(StampedValue(new, at: time).stamp, forKey: key.text)
      }
    }
  }

  private mutating func apply(_ write: StampUpdate.Write, _ stamps: inout Stamps, isRounded: Bool) {
    let present = StampedValue(contents.values[write.key], stamps.stamp(forKey: write.key))
    let value = isRounded ? write.value?.withWholeSeconds : write.value
    let new = write.time.map { StampedValue(value, at: $0) } ?? StampedValue(value, nil)
    if present != write.known {
      guard let time = write.time, let other = present.time, other <= time else { return }
      if new.hash == write.known.hash, stamps.origins.contains(where: { $0.name == other.origin }) {
        // The present value has replaced the value whose time is now known.
        let later = HybridTime.next(after: time, at: other.date, by: other.origin)
        return stamps.set(Stamps.Stamp(time: later, hash: present.hash), forKey: write.key)
      }
    }
    if contents.values[write.key] != value { setForeignValue(value, forKey: write.key) }
    stamps.set(new.stamp, forKey: write.key)
  }
}
