internal import CommandLineInterface
internal import PropertyList

/// A valid property list's deviation from what its purpose requires.
struct RoleProblem: Sendable {
  let keyPath: PlistKeyPath
  let message: String

  var description: String { "\(message) (key path \(keyPath.excerpt))" }

  /// Checks a document whose purpose has rules.
  static func problems(in document: PlistDocument, at path: String) -> [RoleProblem] {
    guard case .dictionary(let root) = document.value else { return [] }
    switch DocumentRole(of: document, at: path) {
    case .bundleInformation(identifier: nil, _)?:
      let key = "CFBundleIdentifier"
      return [
        RoleProblem(key, root[key] == nil ? "an Info.plist needs this key" : "expected a string")
      ]
    case .launchdJob?: return root.compactMap { launchdProblem(of: $0.key, $0.value) }
    default: return []
    }
  }

  private init(_ key: String, _ message: String) {
    keyPath = PlistKeyPath(components: [key])
    self.message = message
  }

  private static func launchdProblem(of key: String, _ value: PlistValue) -> RoleProblem? {
    guard let kinds = launchdKeys[key] else {
      let suggestion = Suggestion.text(for: key, among: launchdKeys.keys.sorted())
      return RoleProblem(key, "launchd does not know this key\(suggestion)")
    }
    guard !kinds.contains(value.kind) else { return nil }
    let expected = kinds.map(\.withArticle).joined(separator: " or ")
    return RoleProblem(key, "launchd expects \(expected), not \(value.kind.withArticle)")
  }

  /// The keys of launchd.plist(5), with the kinds of their values.
  private static let launchdKeys: [String: [PlistValue.Kind]] = {
    var kinds: [String: [PlistValue.Kind]] = [
      "AssociatedBundleIdentifiers": [.string, .array], "KeepAlive": [.boolean, .dictionary],
      "LimitLoadToSessionType": [.string, .array], "StartCalendarInterval": [.dictionary, .array],
      "Umask": [.integer, .string],
    ]
    let names: [(PlistValue.Kind, String)] = [
      (
        .string,
        "BundleProgram GroupName Label POSIXSpawnType ProcessType Program RootDirectory "
          + "ServiceDescription StandardErrorPath StandardInPath StandardOutPath UserName "
          + "WorkingDirectory"
      ),
      (
        .boolean,
        "AbandonProcessGroup Debug Disabled EnableGlobbing EnablePressuredExit EnableTransactions "
          + "HopefullyExitsFirst HopefullyExitsLast InitGroups LaunchOnlyOnce LegacyTimers "
          + "LowPriorityBackgroundIO LowPriorityIO MaterializeDatalessFiles MultipleInstances "
          + "OnDemand RunAtLoad ServiceIPC SessionCreate StartOnMount WaitForDebugger"
      ),
      (.integer, "ExitTimeOut Nice StartInterval ThrottleInterval TimeOut"),
      (.array, "LimitLoadFromHosts LimitLoadToHosts ProgramArguments QueueDirectories WatchPaths"),
      (
        .dictionary,
        "EnvironmentVariables HardResourceLimits JetsamProperties LaunchEvents "
          + "LimitLoadFromHardware LimitLoadToHardware MachServices Sockets SoftResourceLimits "
          + "SpawnConstraint inetdCompatibility"
      ),
    ]
    for (kind, keys) in names {
      for key in keys.split(separator: " ") { kinds[String(key)] = [kind] }
    }
    return kinds
  }()
}
