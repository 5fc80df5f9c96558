internal import CommandLineInterface

extension CommandLineTool.Option {
  static let configuration = Self(
    "--config path",
    """
    Use this configuration instead of /etc/larder/sync.plist for root, or larder/sync.plist in \
    $XDG_CONFIG_HOME or ~/.config for another user
    """, completion: .files)
  static let json = Self("--json", "Print a JSON object")
  static let managed = Self(
    "--managed domain", "Publish the keys of a property list as managed preferences of a domain")
  static let force = Self(
    "--force", "With --managed, publish keys that do not fit the manifest of the domain")
}

/// The verbs and options of `defaults-sync`.
extension SyncTool {
  static let table = CommandLineTool(
    name: "defaults-sync", summary: "keep preferences in sync on many machines, through etcd",
    options: [.configuration],
    verbs: verbs,
    notes: notes, sections: [configurationKeys, logging], related: ["defaults", "plutil"])

  private static let verbs: [CommandLineTool.Verb] = [
    .init(
      "status", options: [.json], operands: none, usageStatus: 2,
      """
      Print connections, waiting changes and failures
      If an agent runs with this configuration, its status is printed. Otherwise the cluster is asked, and \
      the state files show how many changes wait to be uploaded. The exit status is 1 if the cluster cannot \
      be reached, or if an error stops keys, a domain or a managed file. It is not an error if no agent \
      runs.
      $ defaults sync status  # See whether this machine is up to date
      """, action: action { try $0.printStatus(asJSON: $1.has(.json)) }),
    .init(
      "push", options: [.managed, .force],
      operands: .init(
        "file", count: 0...1,
        arguments: [
          .init("file", "With --managed, a property list in any format; - is standard input")
        ]), usageStatus: 2,
      """
      Synchronize once, until all changes of this machine are uploaded
      Newer values in the cluster are stored first, because uploads must take them into account. If an \
      agent is running, it is asked to synchronize, and the command waits for it.
      With --managed, the keys of a property list become the managed preferences of a domain on all machines \
      that replicate it. Keys that are not in the property list are removed. The user in the configuration \
      needs permission to change them.
      If a preference manifest of the domain is installed on this machine, in preferences/manifests of \
      $XDG_DATA_HOME or $XDG_DATA_DIRS, the property list is checked against it first. Nothing is published if \
      the manifest forbids a value.
      $ defaults sync push  # Upload what has changed while no agent ran
      $ defaults sync push --managed org.example.Editor policy.plist  # Set managed preferences on all \
      machines
      """,
      action: action { tool, invocation in
        try tool.push(
          invocation.operands.first, asManaged: invocation.argument(of: .managed),
          isForced: invocation.has(.force))
      }),
    .init(
      "pull", operands: none, usageStatus: 2,
      """
      Store the values of the cluster once
      Nothing is uploaded, unless an agent is running: then the agent is asked to synchronize in both \
      directions, and the command waits for it.
      $ defaults sync pull  # Get the values of the other machines
      """, action: action { tool, _ in try tool.pull() }),
    .init(
      "watch", operands: none, usageStatus: 2,
      """
      Print each change in the cluster until interrupted
      Prints each change to a synchronized key on one line as soon as it arrives: the domain, the key, the old \
      value, -> and the new value. A missing value is printed as -. Nothing is stored.
      $ defaults sync watch  # See what other machines change
      """, action: action { tool, _ in try tool.watch() }),
    .init(
      "run", operands: none, usageStatus: 2,
      """
      Run the agent, which keeps the configured domains in sync until it is stopped
      SIGHUP reads the configuration again: only what has changed is restarted, and a configuration with \
      mistakes is reported and ignored. SIGTERM and SIGINT end the agent within seconds; what could not be \
      uploaded waits in the state folder. systemd starts it as larder-sync.service.
      $ systemctl --user enable --now larder-sync  # Start the agent now and at each login
      """, action: action { tool, _ in try tool.runAgent() }),
    .init(
      "doctor", options: [.json], operands: none, usageStatus: 2,
      """
      Check everything that synchronization needs, and recommend what to do
      The configuration, the files with certificates and the password, each endpoint, the permissions of the \
      user, alarms, the size of the database, the clock, the records in the cluster, the status of the agent, \
      and the state files are checked. Nothing is changed. Records that cannot be read or replaced are named: \
      once they are deleted, the machines upload their values again. The exit status is 1 if there is a \
      problem. If no agent is running, that is only a warning.
      $ defaults sync doctor  # Find out why values do not arrive
      """, action: Doctor.action),
  ]

  private static let none = CommandLineTool.Operands([""], count: 0...0) { _, _ in [] }

  // MARK: Notes

  private static let notes = """
    Chosen keys of chosen domains are the same on all machines that share an etcd cluster. Each machine keeps \
    them in its own property lists, and continues to work without the cluster. Of two changes of a key, the \
    later one wins. "defaults sync" starts this program.
    The configuration is a property list, which must be writable only by root or the user. Paths in it may \
    be relative to its folder.
    """

  private static let configurationKeys = CommandLineTool.Section(
    "Configuration",
    """
    endpoints | The addresses of the members of the cluster, an array: https://host:2379
    prefix | The prefix of the names of all entries in the cluster, ending with a slash; larder/ by \
    default
    domains | A dictionary from the names of domains to arrays of their synchronized keys
    managed | The domains whose managed preferences this machine receives: an array, or true for all
    acceptsPlainManaged | Whether managed preferences may come from another host without encryption; no by \
    default
    user, passwordFile | The user of etcd, and the file with the password
    certificateAuthorityFile | The authorities that sign members' certificates; by default the system's
    certificateFile, privateKeyFile | The certificate of this machine and its key
    stateFolder | The folder of state files: by default /var/lib/larder-sync for root, or larder-sync in \
    $XDG_STATE_HOME or ~/.local/state for another user
    connectTimeout, requestTimeout, keepAliveInterval, resumeTimeout | Times in seconds
    largestAnswer, largestStore | Limits, in bytes, on the data that is read from the cluster
    """)

  private static let logging = CommandLineTool.Section(
    "Log", isInHelp: false,
    """
    The agent writes a line for each event to standard error: time, level, event, and then keys and values \
    that belong to it, such as domain and error. Values are quoted if they contain spaces, equals signs, or \
    anything but printable ASCII. No preference values are written.
    """)
}
