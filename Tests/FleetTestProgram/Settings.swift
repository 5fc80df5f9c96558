#if Etcd
  import EtcdStore
  import Foundation
  import PreferencesSync

  /// The settings of a machine, from arguments of the form `<name>=<value>`.
  struct Settings {
    private let values: [String: String]

    init(_ arguments: some Sequence<String>) {
      let pairs = arguments.compactMap { argument in
        argument.firstIndex(of: "=").map {
          (String(argument[..<$0]), String(argument[argument.index(after: $0)...]))
        }
      }
      values = Dictionary(pairs) { $1 }
    }

    /// The folder with the files of the store and of the synchronizer's state.
    var folder: String { values["folder"] ?? "." }

    /// The keys to synchronize.
    var keys: [String] { values["keys"]?.split(separator: ",").map(String.init) ?? [] }

    /// How far the clock is ahead of the system's, in seconds.
    var clockOffset: Double { values["clock"].flatMap { Double($0) } ?? 0 }

    /// Whether observed values are printed.
    var isQuiet: Bool { values["quiet"] != nil }

    var cluster: EtcdStore.Options {
      var options = EtcdStore.Options(
        endpoints: values["endpoints"]?.split(separator: ",").map(String.init) ?? [])
      options.certificateAuthorityFile = values["authority"]
      if let file = values["certificate"], let key = values["key"] {
        options.clientCertificate = EtcdStore.ClientCertificate(file: file, privateKeyFile: key)
      }
      if values["impatient"] != nil {
        options.connectTimeout = .milliseconds(500)
        options.requestTimeout = .seconds(1)
        options.keepAliveInterval = .milliseconds(500)
        options.resumeTimeout = .seconds(2)
      }
      return options
    }

    /// Whether the machine notes what it has seen, and removals are collected.
    var collects: Bool { values["collects"] != nil }

    var synchronizer: PreferencesSynchronizer.Options {
      var options = PreferencesSynchronizer.Options()
      if let interval = values["interval"].flatMap({ Int($0) }) {
        options.uploadInterval = .milliseconds(interval)
      }
      if values["impatient"] != nil {
        options.retryDelays = .milliseconds(20)...Duration.seconds(1)
      }
      return options
    }
  }
#endif
