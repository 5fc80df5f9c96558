internal import Threading
internal import TypedPreferences

/// Passes errors out of implementations of ``UserDefaultsSerializable``, which cannot throw.
enum ConversionErrorRecorder {
  @TaskLocal private static var first: Lock<ValueConversionError?>?

  /// Records an error for the innermost call of ``recording(_:)``.
  static func record(_ error: ValueConversionError) {
    first?.withLock { $0 = $0 ?? error }
  }

  /// Calls a closure, and returns its result and the first error recorded during the call.
  static func recording<Result>(_ body: () -> Result) -> (
    result: Result, error: ValueConversionError?
  ) {
    let error = Lock<ValueConversionError?>(nil)
    let result = $first.withValue(error, operation: body)
    return (result, error.withLock { $0 })
  }
}
