#if Etcd
  import Foundation
  import TestSupport
  import Testing
  import Threading

  /// Hosts in separate network namespaces, on a bridge in another one, which can be cut off.
  ///
  /// Nothing outside the namespaces is changed. They have no names: each is held by a process that
  /// ends with the standard input that the test process keeps open, so that nothing is left however
  /// the test ends.
  final class TestNetwork: Sendable {
    /// A namespace with an address.
    struct Host: Sendable, Hashable {
      /// An address of the block for documentation, 192.0.2.0/24.
      let address: String
      fileprivate let number: Int
      fileprivate let holder: pid_t

      /// The arguments of `nsenter` that run a program on the host.
      func arguments(_ program: String, _ arguments: [String]) -> [String] {
        ["--net=/proc/\(holder)/ns/net", "--", program] + arguments
      }
    }

    /// Where programs are run that need no files.
    private static let folder = Result { try TemporaryFolder() }

    /// Why there can be no namespaces; nil if they are permitted.
    static let obstacle: String? = {
      let words = [
        "--net", "--", "ip", "link", "add", "name", "net0", "type", "veth", "peer", "name", "net1",
      ]
      guard let run = try? TestNetwork.run("/usr/bin/unshare", words) else {
        return "unshare cannot be started"
      }
      if run.status == 0 { return nil }
      return "network namespaces are not permitted: \(run.error.split(separator: "\n").first ?? "")"
    }()

    let hosts: [Host]
    private let bridge: Host
    private let holders: [ChildProcess]

    /// Creates a network of hosts.
    init(hostCount: Int) throws {
      let holders = try (0...hostCount).map { _ in try Self.holder() }
      let all = holders.enumerated().map { number, holder in
        Host(address: "192.0.2.\(number)", number: number, holder: holder.identifier)
      }
      self.holders = holders
      bridge = all[0]
      hosts = Array(all.dropFirst())
      try Self.run(on: bridge, "link", "add", "name", "bridge0", "type", "bridge")
      try Self.run(on: bridge, "link", "set", "dev", "bridge0", "up")
      for host in hosts {
        let port = "port\(host.number)"
        try Self.run(
          on: bridge, "link", "add", "name", port, "type", "veth", "peer", "name", "net0", "netns",
          "\(host.holder)")
        try Self.run(on: bridge, "link", "set", "dev", port, "master", "bridge0", "up")
        try Self.run(on: host, "address", "add", "\(host.address)/24", "dev", "net0")
        try Self.run(on: host, "link", "set", "dev", "net0", "up")
        try Self.run(on: host, "link", "set", "dev", "lo", "up")
      }
    }

    // MARK: Faults

    /// Cuts a host off, or connects it again.
    func setConnected(_ isConnected: Bool, _ host: Host) throws {
      try Self.run(
        on: bridge, "link", "set", "dev", "port\(host.number)", isConnected ? "up" : "down")
    }

    /// Drops everything that a host sends to another one, while answers would arrive; or stops
    /// dropping it.
    func setLosing(_ isLosing: Bool, from source: Host, to target: Host) throws {
      if isLosing {
        // An address that no host has.
        try Self.run(
          on: source, "neighbor", "replace", target.address, "lladdr", "02:00:00:00:00:fe", "dev",
          "net0", "nud", "permanent")
      } else {
        try Self.run(on: source, "neighbor", "flush", "to", target.address, "nud", "all")
      }
    }

    // MARK: Processes

    /// Starts a process that holds a new namespace.
    private static func holder() throws -> ChildProcess {
      let process = try ChildProcess(
        "/usr/bin/unshare", ["--net", "--", "cat"], in: try folder.get())
      // The namespace is there once cat has replaced unshare.
      let isReady = eventually {
        let name = try? String(
          contentsOfFile: "/proc/\(process.identifier)/comm", encoding: .utf8)
        return name == "cat\n"
      }
      try #require(isReady)
      return process
    }

    /// Runs `ip` on a host.
    private static func run(on host: Host, _ words: String...) throws {
      let run = try run("/usr/bin/nsenter", host.arguments("ip", words))
      try #require(run.status == 0, "ip \(words): \(run.error)")
    }

    private static func run(_ program: String, _ arguments: [String]) throws -> BuiltProgram.Run {
      var tool = BuiltProgram("")
      // These folders may be missing from a user's PATH.
      tool.environment = ["PATH": BuiltProgram.searchPath + ":/usr/sbin:/sbin"]
      return try tool.run(program, arguments, in: try folder.get())
    }
  }
#endif
