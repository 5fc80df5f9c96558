internal import CommandLineInterface
internal import EtcdStore
internal import FileStorage
internal import FoundationEssentials
internal import Glibc
internal import PreferencesSync
internal import PropertyList

/// `watch`
extension SyncTool {
  /// Prints changes as they arrive, until a domain's changes can no longer be read.
  func watch() throws {
    try requireDomains()
    let cluster = try cluster()
    let configuration = configuration
    try BlockingTask.run {
      try await withThrowingTaskGroup { group in
        for (domain, keys) in configuration.domains {
          group.addTask {
            do {
              try await DomainWatch(domain: domain, keys: keys).run(
                cluster.all.values(ofDomain: domain))
            } catch {
              throw CommandFailure("\(domain): \(error)")
            }
          }
        }
        // The first failure ends all tasks.
        for try await _ in group {}
      }
    }
  }
}

/// Prints the changes of a domain in the cluster.
private struct DomainWatch: Sendable {
  let domain: String
  let keys: [String]

  /// Prints changes until the remote store fails.
  func run(_ remote: any RemoteStore) async throws {
    var values: [ByteKey: PlistValue] = [:]
    var revision: Int64?
    while true {
      // The stream of a canceled task ends without an error.
      try Task.checkCancellation()
      // A comparison finds the changes that were compacted away.
      let snapshot = try await remote.entries()
      var missing = values
      for entry in snapshot.entries where keys.contains(where: entry.key.hasSameBytes) {
        missing[ByteKey(entry.key)] = nil
        merge(entry, into: &values, isSilent: revision == nil)
      }
      for key in missing.keys.map(\.text).sorted() {
        merge(nil, forKey: key, into: &values, isSilent: false)
      }
      if revision == nil { Self.note("watching \(domain)") }
      revision = snapshot.revision
      do {
        for try await update in remote.changes(after: snapshot.revision) {
          for entry in update.entries where keys.contains(where: entry.key.hasSameBytes) {
            merge(entry, into: &values, isSilent: false)
          }
          for key in update.removedKeys where keys.contains(where: key.hasSameBytes) {
            merge(nil, forKey: key, into: &values, isSilent: false)
          }
        }
      } catch RemoteStoreError.revisionCompacted {
        continue
      }
    }
  }

  private func merge(
    _ entry: RemoteEntry, into values: inout [ByteKey: PlistValue], isSilent: Bool
  ) {
    do throws(SyncRecordError) {
      merge(try SyncRecord(entry.data).value, forKey: entry.key, into: &values, isSilent: isSilent)
    } catch {
      Self.note("\(domain) \(entry.key): \(error)")
    }
  }

  private func merge(
    _ new: PlistValue?, forKey key: String, into values: inout [ByteKey: PlistValue], isSilent: Bool
  ) {
    let old = values[ByteKey(key)]
    values[ByteKey(key)] = new
    if isSilent || old == new { return }
    ChangeOutput.print(
      key, from: old, to: new, after: "\(domain.onOneLine) ", of: SyncTool.table.name)
  }

  private static func note(_ text: String) {
    try? Descriptor.standardError.writeAll(Data((text.onOneLine + "\n").utf8))
  }
}
