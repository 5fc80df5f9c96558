internal import CommandLineInterface

/// The verbs and options of `defaults-sync`.
extension SyncTool {
  enum Option {
    static let configuration = CommandLineTool.Option(
      "--config", argument: .init("path", completion: .files),
      summary: "Use another configuration than /etc/larder/sync.plist for root, or "
        + "larder/sync.plist in $XDG_CONFIG_HOME or ~/.config for another user")
    static let json = CommandLineTool.Option("--json", summary: "Print a JSON object")
    static let managed = CommandLineTool.Option(
      "--managed", argument: "domain",
      summary: "Publish the keys of a property list as managed preferences of a domain")
    static let force = CommandLineTool.Option(
      "--force", summary: "With --managed, publish keys that do not fit the manifest of the domain")
  }

  static let table = CommandLineTool(
    name: "defaults-sync", summary: "keep preferences in sync on many machines, through etcd",
    options: [Option.configuration],
    verbs: [Verb.status, Verb.push, Verb.pull, Verb.watch, Verb.run, Verb.doctor],
    notes: notes, sections: [configurationKeys, logging], related: ["defaults", "plutil"])

  private enum Verb {
    static let status = CommandLineTool.Verb(
      "status", summary: "Print what is connected, waits and has failed",
      details: [
        """
        The status is that of the agent, if one runs with this configuration. Otherwise the cluster is asked, \
        and the state files tell how many changes wait to be uploaded. The exit status is 1 if the cluster \
        cannot be reached, or an error stops keys, a domain or a managed file, and not because no agent runs.
        """
      ],
      options: [Option.json], operands: none,
      examples: [.init("defaults sync status", "See whether this machine is up to date")],
      usageStatus: 2, action: action { try $0.printStatus(asJSON: $1.has(Option.json)) })

    static let push = CommandLineTool.Verb(
      "push", summary: "Synchronize once, until all changes of this machine are uploaded",
      details: [
        """
        Newer values of the cluster are stored first, since a change is uploaded with knowledge of them. While \
        an agent runs, it is asked to do so, and waited for.
        """,
        """
        With --managed, the keys of a property list become the managed preferences of a domain on all machines \
        that replicate it. Keys that are not in the property list are removed. The user of the configuration \
        needs the permission to change them.
        """,
        """
        If a preference manifest of the domain is installed on this machine, in preferences/manifests of \
        $XDG_DATA_HOME or $XDG_DATA_DIRS, the property list is checked against it first. Nothing is published \
        if the manifest forbids a value.
        """,
      ],
      options: [Option.managed, Option.force],
      operands: .init(
        "file", count: 0...1,
        arguments: [
          .init(
            "file", summary: "With --managed, a property list in any format; - is standard input")
        ]),
      examples: [
        .init("defaults sync push", "Upload what has changed while no agent ran"),
        .init(
          "defaults sync push --managed org.example.Editor policy.plist",
          "Set managed preferences on all machines"),
      ],
      usageStatus: 2,
      action: action { tool, invocation in
        try tool.push(
          invocation.operands.first, asManaged: invocation.argument(of: Option.managed),
          isForced: invocation.has(Option.force))
      })

    static let pull = CommandLineTool.Verb(
      "pull", summary: "Store the values of the cluster once",
      details: [
        """
        Nothing is uploaded, except while an agent runs: it is asked to synchronize, which goes both ways, and \
        waited for.
        """
      ],
      operands: none,
      examples: [.init("defaults sync pull", "Get the values of the other machines")],
      usageStatus: 2, action: action { tool, _ in try tool.pull() })

    static let watch = CommandLineTool.Verb(
      "watch", summary: "Print each change in the cluster until interrupted",
      details: [
        """
        Prints each change to a synchronized key on one line as soon as it arrives: the domain, the key, the \
        old value, -> and the new value. A missing value is printed as -. Nothing is stored.
        """
      ],
      operands: none,
      examples: [.init("defaults sync watch", "See what other machines change")],
      usageStatus: 2, action: action { tool, _ in try tool.watch() })

    static let run = CommandLineTool.Verb(
      "run", summary: "Run the agent, which keeps the configured domains in sync until it is ended",
      details: [
        """
        SIGHUP reads the configuration again: only what has changed is restarted, and a configuration with \
        mistakes is reported and ignored. SIGTERM and SIGINT end the agent within seconds; what could not be \
        uploaded waits in the state folder. systemd starts it as larder-sync.service.
        """
      ],
      operands: none,
      examples: [
        .init("systemctl --user enable --now larder-sync", "Start the agent now and at each log-in")
      ],
      usageStatus: 2, action: action { tool, _ in try tool.runAgent() })

    static let doctor = CommandLineTool.Verb(
      "doctor", summary: "Check everything that synchronization needs, and say what to do",
      details: [
        """
        The configuration, the files with certificates and the password, each endpoint, the permissions of the \
        user, alarms, the size of the database, the clock, the records in the cluster, the status of the agent, \
        and the state files are checked. Nothing is changed. The exit status is 1 if there is a problem; that no \
        agent runs is a warning.
        """
      ],
      options: [Option.json], operands: none,
      examples: [.init("defaults sync doctor", "Find out why values do not arrive")],
      usageStatus: 2, action: Doctor.action)

    static let none = CommandLineTool.Operands([""], count: 0...0) { _, _ in [] }
  }

  // MARK: Notes

  private static let notes: [CommandLineTool.Note] = [
    """
    Chosen keys of chosen domains are the same on all machines that share an etcd cluster. Each machine keeps \
    them in its own property lists, and goes on while the cluster is away. Of two changes of a key the later \
    one wins. "defaults sync" starts this program.
    """,
    """
    The configuration is a property list, which only root or the user may be able to change. Files that it \
    names may be relative to its folder.
    """,
  ]

  private static let configurationKeys = CommandLineTool.Section(
    "Configuration",
    terms: [
      .init(
        "endpoints", "The addresses of the members of the cluster, an array: https://host:2379"),
      .init(
        "prefix",
        "The prefix of the names of all entries in the cluster, with a slash at its end; larder/ by default"
      ),
      .init(
        "domains", "A dictionary: the name of each domain with an array of its synchronized keys"),
      .init(
        "managed",
        "The domains whose managed preferences this machine gets: an array, or true for all"),
      .init(
        "acceptsPlainManaged",
        "Whether managed preferences may come from another host without encryption; no by default"),
      .init("user, passwordFile", "The user of etcd, and the file with the password"),
      .init(
        "certificateAuthorityFile",
        "Who signs the certificates of members; by default those whom the system trusts"),
      .init("certificateFile, privateKeyFile", "The certificate of this machine and its key"),
      .init(
        "stateFolder",
        "The folder of state files: by default /var/lib/larder-sync for root, or larder-sync in "
          + "$XDG_STATE_HOME or ~/.local/state for another user"),
      .init(
        "connectTimeout, requestTimeout, keepAliveInterval, resumeTimeout", "Times in seconds"),
      .init("largestAnswer, largestStore", "Limits in bytes of what is read from the cluster"),
    ])

  private static let logging = CommandLineTool.Section(
    "Log",
    [
      """
      The agent writes a line for each event to standard error: time, level, event, and then keys and values \
      that belong to it, such as domain and error. Values with other characters than printable ones of ASCII, \
      with spaces or with equals signs are in quotes. No value of a preference is written.
      """
    ], isInHelp: false)
}
