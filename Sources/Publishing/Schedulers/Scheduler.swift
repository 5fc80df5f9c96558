/// Runs closures at once or at a time, on threads of its own. Its methods are called on any thread.
public protocol Scheduler<SchedulerTimeType>: SendableMetatype {
  /// The type of its times.
  associatedtype SchedulerTimeType: Strideable, Sendable
  where SchedulerTimeType.Stride: SchedulerTimeIntervalConvertible & Sendable
  /// The type of options for running a closure.
  associatedtype SchedulerOptions: Sendable

  /// The present time.
  var now: SchedulerTimeType { get }

  /// The smallest tolerance that it supports.
  var minimumTolerance: SchedulerTimeType.Stride { get }

  /// Runs a closure as soon as possible.
  func schedule(options: SchedulerOptions?, _ action: @escaping @Sendable () -> Void)

  /// Runs a closure at a time or soon after it.
  func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
    _ action: @escaping @Sendable () -> Void)
}

extension Scheduler {
  /// Runs a closure as soon as possible.
  public func schedule(_ action: @escaping @Sendable () -> Void) { schedule(options: nil, action) }

  /// Runs a closure at a time or soon after it.
  public func schedule(after date: SchedulerTimeType, _ action: @escaping @Sendable () -> Void) {
    schedule(after: date, tolerance: minimumTolerance, options: nil, action)
  }

  /// Runs a closure at a time or soon after it.
  public func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride,
    _ action: @escaping @Sendable () -> Void
  ) {
    schedule(after: date, tolerance: tolerance, options: nil, action)
  }
}

/// An interval between two times of a scheduler, which can be made of common units.
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
