internal import Threading

/// Operators that deliver values on a scheduler, one at a time and in order. After a subscription
/// has been canceled, nothing is delivered, even if it is already scheduled.
extension Publisher {
  /// Returns a publisher that delivers the values and the completion on a scheduler.
  public func receive(on scheduler: some Scheduler) -> AnyPublisher<Output, Failure> {
    // Schedulers may be used on any thread.
    nonisolated(unsafe) let scheduler = scheduler
    return relay(in: .function { scheduler.schedule($0) }) { subscriber in
      { subscriber.receive($0) }
    }
  }

  /// Returns a publisher that delivers a value on a scheduler if no other value follows it within
  /// an interval.
  ///
  /// A value that is waiting when this publisher completes is dropped.
  public func debounce<Context: Scheduler>(
    for dueTime: Context.SchedulerTimeType.Stride, scheduler: Context
  ) -> AnyPublisher<Output, Failure> {
    // Schedulers may be used on any thread.
    nonisolated(unsafe) let scheduler = scheduler
    return AnyPublisher { subscriber in
      let debouncing = Lock(Debouncing<Output>())
      // Receives the number of each value when its time has come, and nil upon completion.
      let due = SerialHandler<(number: Int?, completion: Subscribers.Completion<Failure>?)> { due in
        if let completion = due.completion { return subscriber.receive(completion: completion) }
        if let value = debouncing.withLock({ $0.takeValue(due.number) }) {
          subscriber.receive(value)
        }
      }
      let token = subscribe { completion in
        let dropped = debouncing.withLock { exchange(&$0.value, with: nil) }
        withExtendedLifetime(dropped) {}
        scheduler.schedule { due.send((nil, completion)) }
      } receiveValue: { value in
        let (number, replaced) = debouncing.withLock { $0.setValue(value) }
        withExtendedLifetime(replaced) {}
        scheduler.schedule(after: scheduler.now.advanced(by: dueTime)) { due.send((number, nil)) }
      }
      return AnyCancellable {
        token.cancel()
        due.end()
        let dropped = debouncing.withLock { exchange(&$0.value, with: nil) }
        withExtendedLifetime(dropped) {}
      }
    }
  }

  /// Returns a publisher that delivers at most one value per interval, on a scheduler: the first
  /// value at once, and then, at the end of each interval with values, one of them.
  ///
  /// A value that is waiting when this publisher completes is delivered before the completion.
  ///
  /// - Parameters:
  ///   - interval: The interval.
  ///   - scheduler: The scheduler.
  ///   - latest: Whether the latest value of an interval is delivered rather than the first one.
  public func throttle<Context: Scheduler>(
    for interval: Context.SchedulerTimeType.Stride, scheduler: Context, latest: Bool
  ) -> AnyPublisher<Output, Failure> {
    // Schedulers may be used on any thread.
    nonisolated(unsafe) let scheduler = scheduler
    return AnyPublisher { subscriber in
      let throttling = Lock(Throttling<Output, Failure, Context.SchedulerTimeType>())
      let due = SerialHandler<Void> {
        let now = scheduler.now
        let (value, completion) = throttling.withLock { $0.takePending(at: now) }
        if let value { subscriber.receive(value) }
        if let completion { subscriber.receive(completion: completion) }
      }
      let token = subscribe { completion in
        if throttling.withLock({ $0.complete(completion) }) { scheduler.schedule { due.send(()) } }
      } receiveValue: { value in
        let now = scheduler.now
        let (time, replaced) = throttling.withLock { throttling in
          throttling.setValue(value, at: now, interval, latest: latest)
        }
        withExtendedLifetime(replaced) {}
        guard let time else { return }
        if time > now {
          scheduler.schedule(after: time) { due.send(()) }
        } else {
          scheduler.schedule { due.send(()) }
        }
      }
      return AnyCancellable {
        token.cancel()
        due.end()
        let dropped = throttling.withLock { exchange(&$0.value, with: nil) }
        withExtendedLifetime(dropped) {}
      }
    }
  }
}

/// The value that will be delivered if no other value follows.
private struct Debouncing<Output> {
  var value: Output?
  /// The number of values so far.
  private var count = 0

  /// Sets the value, and returns its number and the value that it replaces.
  mutating func setValue(_ new: Output) -> (number: Int, replaced: Output?) {
    count += 1
    return (count, exchange(&value, with: new))
  }

  /// Removes and returns the value, if it has this number.
  mutating func takeValue(_ number: Int?) -> Output? { number == count ? value.take() : nil }
}

/// The value and completion to deliver at the end of an interval.
private struct Throttling<Output, Failure: Error, Time: Strideable> {
  var value: Output?
  private var completion: Subscribers.Completion<Failure>?
  private var isScheduled = false
  private var lastDelivery: Time?

  /// Sets the value if it must be delivered.
  ///
  /// - Returns: When to schedule a delivery, nil if one is already scheduled; and the value that
  ///   will not be delivered.
  mutating func setValue(
    _ new: Output, at now: Time, _ interval: Time.Stride, latest: Bool
  ) -> (time: Time?, dropped: Output?) {
    if isScheduled { return (nil, latest ? exchange(&value, with: new) : nil) }
    isScheduled = true
    value = new
    return (max(now, lastDelivery?.advanced(by: interval) ?? now), nil)
  }

  /// Sets the completion; returns whether a delivery must be scheduled.
  mutating func complete(_ new: Subscribers.Completion<Failure>) -> Bool {
    completion = new
    return !exchange(&isScheduled, with: true)
  }

  /// Removes and returns the pending value and completion.
  mutating func takePending(at now: Time) -> (Output?, Subscribers.Completion<Failure>?) {
    if value != nil { lastDelivery = now }
    isScheduled = false
    return (value.take(), completion.take())
  }
}
