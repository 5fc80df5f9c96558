internal import CommandLineInterface
internal import EtcdStore
internal import FileStorage
internal import FoundationEssentials
internal import Preferences
internal import PreferencesSync
internal import PropertyList
internal import Threading

/// `defaults-sync`: keeps preferences in sync through an etcd cluster.
package struct SyncTool {
  let session: Session
  let configuration: Configuration

  /// Runs the tool with the process's command line and standard streams.
  ///
  /// - Returns: The exit status: 0, 1 if anything failed, or 2 for a malformed command line
  ///   or configuration.
  package static func run() -> Int32 {
    // The verbs report the problems that concern them.
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
      // Running it again would not help. The status tells a service manager so.
      session.failureStatus = 2
      throw CommandFailure(error.lines)
    }
  }

  static func configurationPath(_ invocation: Invocation) -> String {
    invocation.argument(of: .configuration) ?? Configuration.defaultPath
  }

  /// The action of a verb that needs the configuration.
  static func action(
    _ body: @escaping @Sendable (SyncTool, Invocation) throws -> Void
  ) -> CommandLineTool.Action {
    { invocation, session in try body(SyncTool(invocation, in: session), invocation) }
  }

  func cluster() throws(CommandFailure) -> Cluster {
    return try CommandFailure.wrapping { try Cluster(configuration.connection) }
  }

  var stateFolder: StateFolder { StateFolder(configuration) }

  /// The agent that runs with the configuration; nil if there is none.
  func agent() throws(CommandFailure) -> LockOwner? {
    return try CommandFailure.wrapping(stateFolder.path) { try stateFolder.agent() }
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

/// The remote stores on the cluster of a configuration, which share connections.
struct Cluster: Sendable {
  /// The entries of everything that Larder has in the cluster.
  let all: EtcdStore

  /// Creates the stores. Nothing is connected yet.
  init(_ options: EtcdStore.Options) throws(EtcdError) {
    #if Etcd
      all = try EtcdStore(options)
    #else
      throw EtcdError.withoutTrait
    #endif
  }

  var managed: any RemoteStore { all.partition("managed/") }
}

/// Runs tasks that the calling thread waits for. The thread must not be one that runs tasks.
enum BlockingTask {
  /// Runs a closure as a task, and returns its result.
  static func run<Success: Sendable>(
    _ body: @escaping @Sendable () async throws -> Success
  ) throws -> Success {
    let outcome = Lock<Result<Success, any Error>?>(nil)
    let end = Semaphore(count: 0)
    let task = Task(operation: body)
    Task {
      let result = await task.result
      outcome.withLock { $0 = result }
      end.post()
    }
    end.wait()
    return try outcome.withLock { $0! }.get()
  }
}
