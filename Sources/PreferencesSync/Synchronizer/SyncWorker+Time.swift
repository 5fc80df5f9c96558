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

  /// Gives pending records that lie ahead of the remote store's clock the time of that clock.
  mutating func restampFutureRecords() {
    guard let now = clock.remoteNow else { return }
    let origin = origin
    let tolerance = clock.tolerance / .seconds(1)
    for key in keys.filter(\.value.isUploadable).keys {
      update(key) { $0.restamp(at: now, tolerance: tolerance, by: origin) }
    }
  }
}
