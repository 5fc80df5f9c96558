public import Dispatch

/// Queues as schedulers. Even a concurrent queue delivers values one at a time and in order.
extension DispatchQueue: Scheduler {
  /// A time of a queue.
  public struct SchedulerTimeType: Strideable, Hashable, Sendable {
    /// The time.
    public var dispatchTime: DispatchTime

    /// Wraps a time.
    public init(_ time: DispatchTime) { dispatchTime = time }

    /// Returns the interval from this time to another.
    public func distance(to other: SchedulerTimeType) -> Stride {
      let (start, end) = (dispatchTime.uptimeNanoseconds, other.dispatchTime.uptimeNanoseconds)
      let distance = end >= start ? end - start : start - end
      let magnitude = Int(clamping: distance)
      return .nanoseconds(end >= start ? magnitude : -magnitude)
    }

    /// Returns the time at a distance from this one.
    public func advanced(by interval: Stride) -> SchedulerTimeType {
      let nanoseconds = dispatchTime.uptimeNanoseconds
      let distance = UInt64(interval.magnitude.magnitude)
      let (sum, overflow) =
        interval.magnitude < 0
        ? nanoseconds.subtractingReportingOverflow(distance)
        : nanoseconds.addingReportingOverflow(distance)
      if overflow {
        return Self(interval.magnitude < 0 ? DispatchTime(uptimeNanoseconds: 0) : .distantFuture)
      }
      return Self(DispatchTime(uptimeNanoseconds: sum))
    }

    /// Hashes the time.
    public func hash(into hasher: inout Hasher) { hasher.combine(dispatchTime.rawValue) }

    /// An interval between two times of a queue.
    public struct Stride: SchedulerTimeIntervalConvertible, Comparable, SignedNumeric, Hashable,
      ExpressibleByFloatLiteral, Codable, Sendable
    {
      /// The interval in nanoseconds.
      public var magnitude: Int

      /// The interval as a type of Dispatch.
      public var timeInterval: DispatchTimeInterval { .nanoseconds(magnitude) }

      /// Converts an interval of Dispatch; `never` becomes the longest interval.
      public init(_ timeInterval: DispatchTimeInterval) {
        switch timeInterval {
        case .seconds(let count): self = .seconds(count)
        case .milliseconds(let count): self = .milliseconds(count)
        case .microseconds(let count): self = .microseconds(count)
        case .nanoseconds(let count): self = .nanoseconds(count)
        default: self = .nanoseconds(.max)
        }
      }

      private init(_ count: Int, of nanoseconds: Int) {
        let (product, overflow) = count.multipliedReportingOverflow(by: nanoseconds)
        magnitude = overflow ? (count < 0 ? .min : .max) : product
      }

      /// An interval of a number of seconds.
      public init(floatLiteral value: Double) { self = .seconds(value) }
      /// An interval of a number of seconds.
      public init(integerLiteral value: Int) { self = .seconds(value) }
      /// An interval of a number of nanoseconds; nil if there are too many.
      public init?(exactly source: some BinaryInteger) {
        guard let magnitude = Int(exactly: source) else { return nil }
        self = .nanoseconds(magnitude)
      }

      /// An interval of a number of seconds.
      public static func seconds(_ count: Int) -> Stride { Stride(count, of: 1_000_000_000) }
      /// An interval of a number of seconds.
      public static func seconds(_ count: Double) -> Stride {
        let nanoseconds = (count * 1e9).rounded()
        if nanoseconds.isNaN { return .nanoseconds(0) }
        return .nanoseconds(Int(exactly: nanoseconds) ?? (count < 0 ? .min : .max))
      }
      /// An interval of a number of milliseconds.
      public static func milliseconds(_ count: Int) -> Stride { Stride(count, of: 1_000_000) }
      /// An interval of a number of microseconds.
      public static func microseconds(_ count: Int) -> Stride { Stride(count, of: 1000) }
      /// An interval of a number of nanoseconds.
      public static func nanoseconds(_ count: Int) -> Stride { Stride(count, of: 1) }

      /// Returns whether an interval is shorter.
      public static func < (left: Stride, right: Stride) -> Bool {
        left.magnitude < right.magnitude
      }
      /// Adds two intervals.
      public static func + (left: Stride, right: Stride) -> Stride {
        .nanoseconds(left.magnitude + right.magnitude)
      }
      /// Subtracts an interval.
      public static func - (left: Stride, right: Stride) -> Stride {
        .nanoseconds(left.magnitude - right.magnitude)
      }
      /// Multiplies the nanoseconds of two intervals.
      public static func * (left: Stride, right: Stride) -> Stride {
        .nanoseconds(left.magnitude * right.magnitude)
      }
      /// Multiplies the nanoseconds of two intervals.
      public static func *= (left: inout Stride, right: Stride) { left = left * right }
    }
  }

  /// The present time.
  public var now: SchedulerTimeType { SchedulerTimeType(.now()) }

  /// Runs a closure as soon as possible.
  public func schedule(_ action: @escaping @Sendable () -> Void) { async(execute: action) }

  /// Runs a closure at a time or soon after it.
  public func schedule(after date: SchedulerTimeType, _ action: @escaping @Sendable () -> Void) {
    asyncAfter(deadline: date.dispatchTime, execute: action)
  }
}
