import Glibc
import Preferences
import Synchronization

/// The counters of the server, in the text format of Prometheus.
final class Metrics: Sendable {
  private struct Counts {
    /// The number of requests by verb.
    var requests: [String: Int] = [:]
    var failedRequests = 0
    /// The number of events of preferences by name.
    var events: [String: Int] = [:]
  }

  private let counts = Mutex(Counts())

  func countRequest(_ verb: String) { counts.withLock { $0.requests[verb, default: 0] += 1 } }

  func countFailedRequest() { counts.withLock { $0.failedRequests += 1 } }

  func count(_ event: PreferencesEvent) {
    counts.withLock { $0.events[event.name, default: 0] += 1 }
  }

  /// The lines of the current metrics.
  func lines(tenantCount: Int) -> [String] {
    let counts = counts.withLock { $0 }
    let now = PreferencesStore.statistics
    return ["# process \(getpid())"]
      + labeled("tenant_server_requests_total", "verb", counts.requests)
      + counter("tenant_server_failed_requests_total", counts.failedRequests)
      + gauge("tenant_server_tenants", tenantCount)
      + labeled("larder_events_total", "event", counts.events)
      // Alert on this one: beyond a few seconds, something prevents saving.
      + gauge("larder_oldest_unsaved_seconds", (now.oldestUnsavedAge ?? .zero) / .seconds(1))
      + gauge("larder_unsaved_domains", now.unsavedCount)
      + activity("larder_commit", now.commits)
      + activity("larder_read", now.reads)
      + gauge("larder_domains", now.domainCount)
      + gauge("larder_watched_files", now.watchedCount)
      + gauge("larder_polled_files", now.polledCount)
      + gauge("larder_watches", now.watchCount)
      + gauge("larder_threads", now.threadCount)
      + gauge("larder_descriptors", now.descriptorCount)
  }

  // MARK: Format

  private func gauge(_ name: String, _ value: some CustomStringConvertible) -> [String] {
    ["# TYPE \(name) gauge", "\(name) \(value)"]
  }

  private func counter(_ name: String, _ value: some CustomStringConvertible) -> [String] {
    ["# TYPE \(name) counter", "\(name) \(value)"]
  }

  private func labeled(_ name: String, _ label: String, _ counts: [String: Int]) -> [String] {
    ["# TYPE \(name) counter"]
      + counts.sorted { $0.key < $1.key }.map { "\(name){\(label)=\"\($0.key)\"} \($0.value)" }
  }

  private func activity(_ name: String, _ activity: PreferencesStatistics.Activity) -> [String] {
    counter("\(name)s_total", activity.count)
      + counter("\(name)_failures_total", activity.failureCount)
      + counter("\(name)_seconds_total", activity.totalTime / .seconds(1))
      + gauge("\(name)_longest_seconds", activity.longestTime / .seconds(1))
  }
}
