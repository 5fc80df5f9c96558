internal import Dispatch
public import Foundation
public import Publishing

/// Operation queues as schedulers.
extension OperationQueue: Scheduler {
  /// A time of an operation queue.
  public typealias SchedulerTimeType = RunLoop.SchedulerTimeType
  /// There are no options.
  public typealias SchedulerOptions = Never

  /// The present time.
  public var now: SchedulerTimeType { SchedulerTimeType(Date()) }

  /// The smallest tolerance: none.
  public var minimumTolerance: SchedulerTimeType.Stride { 0 }

  /// Runs a closure as soon as possible.
  public func schedule(options: SchedulerOptions?, _ action: @escaping @Sendable () -> Void) {
    addOperation(action)
  }

  /// Runs a closure at a time or soon after it.
  public func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
    _ action: @escaping @Sendable () -> Void
  ) {
    let interval = max(0, date.date.timeIntervalSinceNow)
    DispatchQueue.global().asyncAfter(deadline: .now() + interval) { self.addOperation(action) }
  }
}
