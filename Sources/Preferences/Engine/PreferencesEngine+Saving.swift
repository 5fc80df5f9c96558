internal import Threading

/// Saving the changes of all domains.
extension PreferencesEngine {
  /// The time that saving everything may take: for any number of domains, and for each of them.
  private static let flushLimit = (base: Duration.seconds(10), each: Duration.milliseconds(10))
  /// The longest time for which the end of a forked child waits for what its parent saves.
  private static let inheritanceLimit = Duration.seconds(1)
  /// The number of failures at the end that are reported one by one.
  private static let reportLimit = 10

  /// The domains with changes that are not saved.
  var unsavedFiles: [DomainFile] {
    StateLock.change { $0[state].alarms.all.compactMap { $0 as? DomainFile } }
  }

  /// The number of domains with changes of this process that are not saved, and the time of the oldest
  /// of these changes; nil if there are none.
  var unsaved: (count: Int, since: ContinuousClock.Instant?) {
    StateLock.change { change in
      let times = change[state].alarms.all.compactMap { alarm in
        (alarm as? DomainFile).flatMap { change[$0.state].schedule.unsavedSince }
      }
      return (times.count, times.min())
    }
  }

  /// Saves everything that stores of this engine have set, as ``PreferencesStore/flushAll(timeout:)-(_)``
  /// does for those of the process.
  ///
  /// - Parameter timeout: The longest time for all domains together; nil for 10 seconds and 10
  ///   milliseconds for each domain.
  /// - Throws: Why a domain was not saved, after all others have been;
  ///   ``PreferencesError/unsaved(count:of:_:)`` if there are several.
  public func flushAll(timeout: Duration? = nil) throws(PreferencesError) {
    startTimerIfNeeded()
    let files = unsavedFiles
    let limit = TimeLimit(timeout ?? Self.flushLimit.base + Self.flushLimit.each * files.count)
    var delivery = Delivery()
    let failures = SaveGroup.save(files, within: limit, &delivery)
    delivery.deliverAsynchronously(by: self)
    guard let (_, error) = failures.first else { return }
    throw failures.count == 1
      ? error : .unsaved(count: failures.count, of: files.count, error)
  }

  /// Saves everything that stores of this engine have set, as the blocking function does.
  ///
  /// - Parameter timeout: The longest time for all domains together; nil for 10 seconds and 10
  ///   milliseconds for each domain.
  /// - Throws: A ``PreferencesError`` that says why something was not saved, or `CancellationError`.
  public func flushAll(timeout: Duration? = nil) async throws {
    try await AsyncCall.run(on: self) { try self.flushAll(timeout: timeout) }
  }

  /// The time for which changes are gathered before they are saved.
  func commitDelay(in change: borrowing StateChange) -> Duration {
    change[state].configuration.commitDelay
  }

  /// A mark that no other domain has; nil if there are no more.
  func nextMark(in change: borrowing StateChange) -> CommitMark? {
    if change[state].marks == nil { change[state].marks = CommitMark.SharedMemory() }
    return change[state].marks?.next(in: change)
  }

  // MARK: The end

  /// The time until which a change is saved when it is made; nil as long as it is saved later.
  func end(in change: borrowing StateChange) -> ContinuousClock.Instant? { change[state].end }

  /// Saves everything at the end of the process, within the time that the configuration allows. A change
  /// that is made later is saved when it is made.
  func saveAtEnd() {
    let limit = TimeLimit(configuration.exitFlushTimeout)
    StateLock.change { $0[state].end = limit.deadline }
    let files = unsavedFiles
    // An update that ends the process does not come to its own end.
    var failures: [SaveGroup.Failure] = []
    for file in files where file.lane.isHeldHere {
      do throws(PreferencesError) { try file.commitWithinUpdate(limit) } catch {
        failures.append((file, error))
      }
    }
    // Observers are not called any more.
    var delivery = Delivery()
    failures += SaveGroup.save(files.filter { !$0.lane.isHeldHere }, within: limit, &delivery)
    report(failures, of: files.count)
    delivery.postEvents()
    waitForParent(until: min(limit.deadline, .now + Self.inheritanceLimit), limit, &delivery)
  }

  /// Reports the failures at the end. If they are many, handlers of single domains are called for each,
  /// and all others once.
  private func report(_ failures: [SaveGroup.Failure], of count: Int) {
    guard let first = failures.first, failures.count > Self.reportLimit else {
      for (_, error) in failures { post(.saveFailure(error)) }
      return
    }
    if handlers.hasFilteredHandlers {
      for (_, error) in failures { handlers.callFiltered(with: .saveFailure(error)) }
    }
    post(.saveFailure(.unsaved(count: failures.count, of: count, first.error)))
  }

  /// Waits for a moment for the parent of this process, which may be about to save inherited changes, or
  /// to end without that.
  private func waitForParent(
    until deadline: ContinuousClock.Instant, _ limit: TimeLimit, _ delivery: inout Delivery
  ) {
    var inherited = unsavedFiles.filter(\.hasInherited)
    while !inherited.isEmpty, .now < deadline {
      Duration.milliseconds(2).sleep()
      inherited = inherited.filter(\.hasInherited)
      _ = SaveGroup.save(inherited.filter(\.hasDecidedInheritance), within: limit, &delivery)
    }
  }

  // MARK: Forks

  private struct Reference {
    weak var engine: PreferencesEngine?
  }

  private struct Family {
    var engines: [Reference] = []
    /// This process, if it is forking.
    var process: ProcessIdentity?
  }

  private static let family: Lock<Family> = {
    let family = Lock(Family())
    Fork.register(.running) {
      let process = ProcessIdentity.current
      family.withLock { $0.process = process }
    } after: { isChild in
      let (parent, engines) = family.withLock { ($0.process, $0.engines.compactMap(\.engine)) }
      guard isChild, let parent else { return }
      for engine in engines { StateLock.change { engine.inherit(from: parent, in: $0) } }
    }
    return family
  }()

  /// Makes forked children know of an engine.
  static func follow(_ engine: PreferencesEngine) {
    // The last reference to another one is not released under the lock.
    let others = family.withLock { family in
      let others = family.engines.compactMap(\.engine)
      family.engines = (others + [engine]).map(Reference.init)
      return others
    }
    withExtendedLifetime(others) {}
  }

  /// Leaves what is not saved to the parent, in a forked child, and starts a thread that saves it if the
  /// parent does not.
  private func inherit(from parent: ProcessIdentity, in change: borrowing StateChange) {
    change[state].timer = .none
    change[state].marks = nil
    for alarm in Array(change[state].alarms.all) {
      if let file = alarm as? DomainFile {
        file.inheritChanges(from: parent, in: change)
      } else {
        // The task that waits is the parent's.
        _ = change[state].alarms.remove(alarm)
      }
    }
    startTimerIfNeeded(in: change)
  }
}
