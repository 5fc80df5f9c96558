/// Runs closures at once or at a time, on its own threads. Its methods are called on any thread.
public protocol Scheduler<SchedulerTimeType>: SendableMetatype {
  /// The type of its times.
  associatedtype SchedulerTimeType: Strideable, Sendable
  where SchedulerTimeType.Stride: SchedulerTimeIntervalConvertible & Sendable

  /// The present time.
  var now: SchedulerTimeType { get }

  /// Runs a closure as soon as possible.
  func schedule(_ action: @escaping @Sendable () -> Void)

  /// Runs a closure at a time or soon after it.
  func schedule(after date: SchedulerTimeType, _ action: @escaping @Sendable () -> Void)
}

/// An interval between two times of a scheduler, which can be created from common units.
public protocol SchedulerTimeIntervalConvertible {
  /// An interval of a number of seconds.
  static func seconds(_ count: Int) -> Self
  /// An interval of a number of seconds.
  static func seconds(_ count: Double) -> Self
  /// An interval of a number of milliseconds.
  static func milliseconds(_ count: Int) -> Self
  /// An interval of a number of microseconds.
  static func microseconds(_ count: Int) -> Self
  /// An interval of a number of nanoseconds.
  static func nanoseconds(_ count: Int) -> Self
}
