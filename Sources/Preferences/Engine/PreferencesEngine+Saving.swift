internal import Threading

extension PreferencesEngine {
  /// The largest number of failures at the end that are reported one by one.
  private static let reportLimit = 10

  var unsavedFiles: [DomainFile] { StateLock.change { unsavedFiles(in: $0) } }

  func unsavedFiles(in change: borrowing StateChange) -> [DomainFile] {
    change[runtime.state].alarms.all.compactMap { $0 as? DomainFile }
  }

  /// The number of domains with unsaved changes of this process, and the time of the oldest one.
  var unsaved: (count: Int, since: Moment?) {
    StateLock.change { change in
      let times = unsavedFiles(in: change).compactMap { change[$0.state].saving.unsavedSince }
      return (times.count, times.min())
    }
  }

  /// Saves the changes of all stores of this engine and blocks the thread until they are on disk.
  ///
  /// - Parameter timeout: The limit for all domains together; nil for 10 seconds and 10 milliseconds for
  ///   each domain.
  /// - Throws: The error of a domain that was not saved, after all others were;
  ///   ``PreferencesError/unsaved(count:of:_:)`` if there are several.
  public func flushAll(timeout: Duration? = nil) throws(PreferencesError) {
    runtime.startTimerIfNeeded()
    let files = unsavedFiles
    let limit = timeout.map { TimeLimit($0) } ?? TimeLimit(forSaving: files.count)
    var delivery = Delivery()
    let failures = SaveGroup.save(files, within: limit, &delivery)
    delivery.deliverAsynchronously(by: runtime.deliveries)
    guard let (_, error) = failures.first else { return }
    throw failures.count == 1
      ? error : .unsaved(count: failures.count, of: files.count, error)
  }

  /// Saves the changes of all stores of this engine without blocking the task's thread.
  ///
  /// - Parameter timeout: The limit for all domains together, as for the blocking function.
  /// - Throws: What the blocking function throws, or `CancellationError`.
  public func flushAll(timeout: Duration? = nil) async throws {
    try await AsyncCall.run(on: runtime) { try self.flushAll(timeout: timeout) }
  }

  // MARK: The end

  /// Saves everything at the end of the process, within the configured time. Later changes are
  /// saved when they are made.
  ///
  /// - Returns: The domains that had unsaved changes.
  @discardableResult
  func saveAtEnd() -> [DomainFile] {
    let limit = TimeLimit(configuration.exitFlushTimeout)
    StateLock.change { $0[runtime.state].end = Moment(limit.deadline) }
    let files = unsavedFiles
    // An update that ends the process does not return, so its domain is saved within the update.
    var failures: [SaveGroup.Failure] = []
    for file in files where file.lane.isHeldHere {
      do throws(PreferencesError) { try file.commitWithinUpdate(limit) } catch {
        failures.append((file, error))
      }
    }
    // Observers are no longer called.
    var delivery = Delivery()
    failures += SaveGroup.save(files.filter { !$0.lane.isHeldHere }, within: limit, &delivery)
    report(failures, of: files.count)
    delivery.postEvents()
    return files
  }

  /// Reports the failures at the end. If there are many, handlers of single domains are called for
  /// each failure and all others once.
  private func report(_ failures: [SaveGroup.Failure], of count: Int) {
    guard let first = failures.first, failures.count > Self.reportLimit else {
      for (_, error) in failures { post(.saveFailure(error)) }
      return
    }
    for (_, error) in failures {
      runtime.events.call(with: .saveFailure(error), onlyFiltered: true)
    }
    post(.saveFailure(.unsaved(count: failures.count, of: count, first.error)))
  }
}
