internal import Dispatch
public import Foundation
public import Publishing

/// Operation queues as schedulers.
extension OperationQueue: Scheduler {
  /// A time of an operation queue.
  public typealias SchedulerTimeType = RunLoop.SchedulerTimeType

  /// The present time.
  public var now: SchedulerTimeType { SchedulerTimeType(Date()) }

  /// Runs a closure as soon as possible.
  public func schedule(_ action: @escaping @Sendable () -> Void) {
    addOperation(action)
  }

  /// Runs a closure at a time or soon after it.
  public func schedule(after date: SchedulerTimeType, _ action: @escaping @Sendable () -> Void) {
    let interval = max(0, date.date.timeIntervalSinceNow)
    DispatchQueue.global().asyncAfter(deadline: .now() + interval) { self.addOperation(action) }
  }
}

/// Run loops as schedulers.
extension RunLoop: Scheduler {
  /// A time of a run loop.
  public struct SchedulerTimeType: Strideable, Hashable, Codable, Sendable {
    /// The time.
    public var date: Date

    /// Wraps a time.
    public init(_ date: Date) { self.date = date }

    /// Returns the interval from this time to another.
    public func distance(to other: SchedulerTimeType) -> Stride {
      .seconds(other.date.timeIntervalSince(date))
    }

    /// Returns the time at a distance from this one.
    public func advanced(by interval: Stride) -> SchedulerTimeType {
      SchedulerTimeType(date.addingTimeInterval(interval.timeInterval))
    }

    /// An interval between two times of a run loop.
    public struct Stride: SchedulerTimeIntervalConvertible, Comparable, SignedNumeric, Hashable,
      ExpressibleByFloatLiteral, Codable, Sendable
    {
      /// The interval in seconds.
      public var timeInterval: TimeInterval

      /// The length of the interval in seconds.
      public var magnitude: TimeInterval { timeInterval.magnitude }

      /// Creates an interval of a number of seconds.
      public init(_ timeInterval: TimeInterval) { self.timeInterval = timeInterval }

      /// Creates an interval of a number of seconds.
      public init(floatLiteral value: TimeInterval) { self.init(value) }
      /// Creates an interval of a number of seconds.
      public init(integerLiteral value: TimeInterval) { self.init(value) }
      /// Creates an interval of a number of seconds; nil if that cannot be represented.
      public init?(exactly source: some BinaryInteger) {
        guard let timeInterval = TimeInterval(exactly: source) else { return nil }
        self.init(timeInterval)
      }

      /// An interval of a number of seconds.
      public static func seconds(_ count: Int) -> Stride { Stride(TimeInterval(count)) }
      /// An interval of a number of seconds.
      public static func seconds(_ count: Double) -> Stride { Stride(count) }
      /// An interval of a number of milliseconds.
      public static func milliseconds(_ count: Int) -> Stride { Stride(TimeInterval(count) / 1e3) }
      /// An interval of a number of microseconds.
      public static func microseconds(_ count: Int) -> Stride { Stride(TimeInterval(count) / 1e6) }
      /// An interval of a number of nanoseconds.
      public static func nanoseconds(_ count: Int) -> Stride { Stride(TimeInterval(count) / 1e9) }

      /// Returns whether an interval is shorter.
      public static func < (left: Stride, right: Stride) -> Bool {
        left.timeInterval < right.timeInterval
      }
      /// Adds two intervals.
      public static func + (left: Stride, right: Stride) -> Stride {
        Stride(left.timeInterval + right.timeInterval)
      }
      /// Subtracts an interval.
      public static func - (left: Stride, right: Stride) -> Stride {
        Stride(left.timeInterval - right.timeInterval)
      }
      /// Multiplies the seconds of two intervals.
      public static func * (left: Stride, right: Stride) -> Stride {
        Stride(left.timeInterval * right.timeInterval)
      }
      /// Multiplies the seconds of two intervals.
      public static func *= (left: inout Stride, right: Stride) { left = left * right }
    }
  }

  /// The present time.
  public var now: SchedulerTimeType { SchedulerTimeType(Date()) }

  /// Runs a closure as soon as possible, in the common modes.
  public func schedule(_ action: @escaping @Sendable () -> Void) {
    schedule(after: now, action)
  }

  /// Runs a closure at a time or soon after it, in the common modes.
  ///
  /// The main run loop leaves this to the main queue, which it serves. This also works if no run
  /// loop is running, as in a program with an asynchronous `main`.
  public func schedule(after date: SchedulerTimeType, _ action: @escaping @Sendable () -> Void) {
    if self === RunLoop.main {
      let pause = date.date.timeIntervalSinceNow
      if pause <= 0 { return DispatchQueue.main.async(execute: action) }
      return DispatchQueue.main.asyncAfter(deadline: .now() + pause, execute: action)
    }
    add(Timer(fire: date.date, interval: 0, repeats: false) { _ in action() }, forMode: .common)
  }
}
