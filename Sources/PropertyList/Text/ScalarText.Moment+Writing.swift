internal import FoundationEssentials

extension ScalarText.Moment {
  /// The parts of a date that is written in a format of whole seconds, rounded down; or why that
  /// format cannot hold it.
  init(
    _ date: Date, for format: PlistFormat, options: PlistWriteOptions
  ) throws(PlistError.Kind) {
    let interval = date.timeIntervalSinceReferenceDate
    if interval.isNaN { throw .notADate }
    guard let moment = Self(date) else { throw .dateOutOfRange }
    if options.rejectsFractionalSeconds, interval.rounded() != interval {
      throw .fractionalSeconds(format)
    }
    self = moment
  }
}
