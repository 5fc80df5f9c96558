internal import FoundationEssentials

/// The times of changes.
extension SyncWorker {
  /// The origin of the changes of this machine.
  var origin: String { machine?.origin ?? "" }

  /// Reports that the clocks differ too much, once until they come close again.
  mutating func checkClock() {
    guard let skew = clock.skew else { return }
    let magnitude = skew < .zero ? .zero - skew : skew
    if magnitude > clock.tolerance, !hasReportedSkew {
      hasReportedSkew = true
      events.report(.clockSkew(skew))
    } else if magnitude * 2 < clock.tolerance {
      hasReportedSkew = false
    }
  }

  /// Moves the times of pending records to where they have to be in the remote store: not ahead of
  /// its clock, and after removals that were collected.
  mutating func restampPendingRecords() {
    let now = clock.remoteNow
    let origin = origin
    let tolerance = clock.tolerance / .seconds(1)
    let collected = collectedRemovals?.time
    for key in keys.filter(\.value.isUploadable).keys {
      update(key) { synced in
        synced.restamp(after: collected, by: origin)
        if let now { synced.restamp(at: now, tolerance: tolerance, by: origin) }
      }
    }
  }
}
