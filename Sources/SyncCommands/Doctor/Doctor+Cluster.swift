internal import EtcdStore
internal import FoundationEssentials
internal import Preferences
internal import PreferencesSync
internal import PropertyList

/// The checks of the cluster.
extension Doctor {
  /// Checks each endpoint, the user's permissions, the clock, and the records.
  mutating func checkCluster() async {
    let cluster: Cluster
    do throws(EtcdError) {
      cluster = try Cluster(configuration.connection)
    } catch {
      note("cluster", .problem, "\(error)")
      return
    }
    var isReachable = false
    for endpoint in cluster.all.endpoints {
      if await check(endpoint, of: cluster.all) { isReachable = true }
    }
    if !isReachable { return }
    checkClock(cluster.all)
    for domain in configuration.domains.keys.sorted() {
      await checkDomain(domain, cluster.all)
    }
    if configuration.managed != nil { await checkManaged(cluster.managed) }
  }

  /// Checks a member; false if it cannot be used.
  private mutating func check(_ endpoint: String, of store: EtcdStore) async -> Bool {
    let status: MemberStatus
    do {
      guard let shown = try await store.status(ofMember: endpoint) else {
        note(
          "endpoint", .ok, "\(endpoint): etcd answers, and shows its state to the role root alone")
        return true
      }
      status = shown
    } catch let error as EtcdError {
      note("endpoint", .problem, "\(error)", advice: Self.advice(for: error))
      return false
    } catch {
      note("endpoint", .problem, "\(endpoint): \(error)")
      return false
    }
    for alarm in status.errors {
      let isFull = alarm.contains("NOSPACE")
      note(
        "endpoint", .problem, "\(endpoint): \(isFull ? "the database is full (\(alarm))" : alarm)",
        advice: isFull ? Self.adviceWhenFull : "see the log of this member")
    }
    if !status.hasLeader {
      note(
        "endpoint", .problem, "\(endpoint): there is no leader",
        advice: "start members until a majority is running and can reach each other")
    }
    var size = "\(Self.megabytes(status.databaseSize)) MB in the database"
    if let quota = status.databaseQuota, quota > 0 {
      size += " of \(Self.megabytes(quota)) MB"
      if status.databaseSize > quota / 10 * 8 {
        note(
          "endpoint", .warning, "\(endpoint): \(size)",
          advice: "compact and defragment the database before it is full, or raise its quota")
      }
    }
    if status.errors.isEmpty, status.hasLeader {
      note("endpoint", .ok, "\(endpoint): etcd \(status.version), \(size)")
    }
    return true
  }

  private static func megabytes(_ size: Int64) -> String {
    "\((Double(size) / 100_000).rounded() / 10)"
  }

  // MARK: The clock

  /// The smallest clock skew that causes a warning.
  private static let notableSkew = Duration.seconds(10)

  private mutating func checkClock(_ store: EtcdStore) {
    guard let date = store.latestContact?.date else { return }
    let seconds = Date.now.timeIntervalSince(date)
    let skew = Duration.seconds(abs(seconds))
    let text = "the clock of this machine is \(DomainStatus.clockText(seconds))"
    if skew <= Self.notableSkew { return note("clock", .ok, text) }
    let tolerance = PreferencesSynchronizer.Options().clockTolerance
    note(
      "clock", skew > tolerance ? .problem : .warning, text,
      advice: "set the clock that is wrong, and keep it synchronized with NTP")
  }

  // MARK: Records

  /// Checks the permissions for the values and the registry of a domain, and its records.
  private mutating func checkDomain(_ domain: String, _ cluster: EtcdStore) async {
    guard
      let entries = await readableEntries(
        of: cluster.values(ofDomain: domain), domain, isChanged: true, below: "domains/"),
      await readableEntries(
        of: cluster.registry(ofDomain: domain), "\(domain), registry of machines", isChanged: true,
        below: "registry/") != nil
    else { return }
    note("cluster", .ok, "\(domain): may be read and changed; \(entries.count.counted("record"))")
    checkRecords(entries, of: domain, below: "domains/\(domain)/")
  }

  /// Reads all entries, and checks that the user may change them if the agent does. Returns nil,
  /// after recording a finding, if that is not possible.
  ///
  /// - Parameter place: The prefix of their names, after the configured prefix.
  private mutating func readableEntries(
    of store: any RemoteStore, _ title: String, isChanged: Bool, below place: String
  ) async -> [RemoteEntry]? {
    do {
      let entries = try await store.entries().entries
      // A change that cannot take place needs the same permission as any other change.
      if isChanged { _ = try await store.put(Data(), forKey: "doctor", replacing: .max) }
      return entries
    } catch let error as EtcdError {
      let permission = isChanged ? "readwrite" : "read"
      let advice =
        error.kind == .permissionDenied
        ? "etcdctl role grant-permission ROLE \(permission) --prefix=true "
          + "\(configuration.connection.prefix)\(place)"
        : Self.advice(for: error)
      note("cluster", .problem, "\(title): \(error)", advice: advice)
    } catch {
      note("cluster", .problem, "\(title): \(error)")
    }
    return nil
  }

  /// Checks the permission to read managed preferences, and their records.
  private mutating func checkManaged(_ store: any RemoteStore) async {
    guard
      let entries = await readableEntries(
        of: store, "managed preferences", isChanged: false, below: "managed/")
    else { return }
    note("cluster", .ok, "managed preferences: may be read; \(entries.count.counted("record"))")
    checkRecords(entries, of: "managed preferences", below: "managed/")
  }

  /// The maximum number of invalid records that are named.
  private static let largestList = 10

  private mutating func checkRecords(
    _ entries: [RemoteEntry], of domain: String, below place: String
  ) {
    let foreign = entries.filter { (try? SyncRecord($0.data)) == nil }.map(\.key).sorted()
    if foreign.isEmpty { return }
    let names = foreign.prefix(Self.largestList).joined(separator: ", ")
    let more = foreign.count > Self.largestList ? " and others" : ""
    note(
      "records", .problem,
      "\(domain): \(foreign.count) written by something else: \(names)\(more)",
      advice: "delete them with etcdctl, below \(configuration.connection.prefix)\(place)")
  }
}
