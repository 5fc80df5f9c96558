import Foundation
import Glibc
import PreferencesSyncTesting
import PropertyList
import TestSupport

@testable import Preferences
@testable import PreferencesSync

/// A machine whose managed files are replicated to a new folder.
final class ManagedMachine {
  let folder: TemporaryFolder
  let remote: any RemoteStore
  let failures = Recorder<String>()
  private(set) var replica: ManagedPreferencesReplica!
  private let domains: [String]?
  private let limits: ManagedPreferencesLimits

  /// Creates the machine and starts its replica.
  init(
    _ remote: any RemoteStore, _ domains: [String]? = nil,
    limits: ManagedPreferencesLimits = ManagedPreferencesLimits(),
    folder: TemporaryFolder? = nil, starts: Bool = true
  ) throws {
    self.folder = try folder ?? TemporaryFolder()
    self.remote = remote
    self.domains = domains
    self.limits = limits
    if starts { start() }
  }

  deinit {
    replica?.cancel()
  }

  var locations: DomainLocations { DomainLocations(within: folder.path) }

  func start(
    retryDelays: ClosedRange<Duration> = .seconds(3600)...Duration.seconds(3600),
    revisionInterval: Duration = .seconds(600)
  ) {
    var options = ManagedPreferencesReplica.Options()
    options.limits = limits
    options.retryDelays = retryDelays
    options.revisionInterval = revisionInterval
    replica = ManagedPreferencesReplica(
      remote: remote, domains: domains, locations: locations,
      stateFileAt: folder.path("state/managed.plist"), options: options)
    replica.onFailure { [failures, folder] error in
      failures.record("\(error)".replacing(folder.path, with: "folder"))
    }
  }

  func stop() {
    replica.cancel()
    replica = nil
  }

  func restart() {
    stop()
    start()
  }

  func wait() async throws { try await replica.waitForCompletion() }

  /// Waits, and returns the error with the machine's folder left out.
  func waitForError() async -> String? {
    do {
      try await wait()
      return nil
    } catch {
      return "\(error)".replacing(folder.path, with: "folder")
    }
  }

  /// The values in the managed file of a domain; nil if there is none.
  func file(_ domain: String) throws -> PlistDictionary? {
    guard let data = try? folder.data("managed/\(domain).plist") else { return nil }
    guard case .dictionary(let values) = try Plist.read(data).value else {
      throw CocoaError(.fileReadCorruptFile)
    }
    return values
  }

  /// The permissions of a file or folder.
  func mode(_ name: String) -> mode_t {
    var information = stat()
    return stat(folder.path(name), &information) == 0 ? information.st_mode & 0o7777 : 0
  }

  /// A store of a domain as an application opens it.
  func store(_ domain: String) throws -> PreferencesStore {
    var options = PreferencesStore.Options()
    options.locations = locations
    options.arguments = []
    return try PreferencesStore(domain: domain, options: options)
  }
}

extension InMemoryRemoteStore {
  /// Publishes the managed values of a domain.
  @discardableResult
  func publish(
    _ values: PlistDictionary, _ domain: String = "org.example.app"
  ) async throws -> ManagedPreferences.Changes {
    try await ManagedPreferences.publish(values, domain: domain, to: self)
  }
}
