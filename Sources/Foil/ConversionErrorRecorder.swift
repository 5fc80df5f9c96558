internal import Threading
internal import TypedPreferences

/// Why Codable failed, which ``UserDefaultsSerializable`` leaves its implementations no way to tell.
enum CodableFailure {
  @TaskLocal private static var first: Lock<ValueConversionError?>?

  /// Tells whoever has called ``collecting(_:)`` of a failure.
  static func note(_ failure: ValueConversionError) {
    first?.withLock { $0 = $0 ?? failure }
  }

  /// Does something, and gives the first failure that was noted meanwhile beside what came of it.
  static func collecting<Result>(_ body: () -> Result) -> (
    result: Result, failure: ValueConversionError?
  ) {
    let failure = Lock<ValueConversionError?>(nil)
    let result = $first.withValue(failure, operation: body)
    return (result, failure.withLock { $0 })
  }
}
