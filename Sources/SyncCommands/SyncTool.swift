internal import CommandLineInterface
internal import EtcdStore
internal import FileStorage
internal import FoundationEssentials
internal import Preferences
internal import PropertyList

/// `defaults-sync`: keeps preferences in sync through an etcd cluster.
package struct SyncTool {
  let session: Session
  let configuration: Configuration

  /// Runs the tool with the process's command line and standard streams.
  ///
  /// - Returns: The exit status: 0, 1 if anything failed, or 2 for a malformed command line
  ///   or configuration.
  package static func run() -> Int32 {
    // The verbs report what concerns them.
    PreferencesStore.runtimeConfiguration.printsFailures = false
    return table.run()
  }

  /// Reads the configuration that the command line names.
  private init(_ invocation: Invocation, in session: Session) throws(CommandFailure) {
    self.session = session
    let path = Self.configurationPath(invocation)
    do throws(ConfigurationError) {
      configuration = try Configuration.load(path)
    } catch {
      // Running it again would not help, which a service manager knows by the status.
      session.failureStatus = 2
      throw CommandFailure(error.lines)
    }
  }

  /// The path of the configuration.
  static func configurationPath(_ invocation: Invocation) -> String {
    invocation.argument(of: Option.configuration) ?? Configuration.defaultPath
  }

  /// The action of a verb that needs the configuration.
  static func action(
    _ body: @escaping @Sendable (SyncTool, Invocation) throws -> Void
  ) -> CommandLineTool.Action {
    { invocation, session in try body(SyncTool(invocation, in: session), invocation) }
  }

  /// The cluster of the configuration.
  func cluster() throws(CommandFailure) -> Cluster {
    do throws(EtcdError) {
      return try Cluster(configuration.connection)
    } catch {
      throw CommandFailure("\(error)")
    }
  }

  /// The state folder of the configuration.
  var stateFolder: StateFolder { StateFolder(configuration) }

  /// The agent that runs with the configuration; nil if none does.
  func agent() throws(CommandFailure) -> LockOwner? {
    do {
      return try stateFolder.agent()
    } catch {
      throw CommandFailure("\(stateFolder.path): \(error)")
    }
  }

  /// Prints a value as JSON, on one line.
  static func printJSON(_ value: some Encodable, in session: Session) throws {
    var options = PlistWriteOptions()
    options.allowsLossyConversion = true
    let data = try Plist.write(
      try PlistEncoder().encodeToValue(value), as: .json, options: options)
    session.print(String(decoding: data, as: UTF8.self) + "\n")
  }
}
