import Foundation
import PropertyList
import TestSupport
import Testing

extension ProcessTests {
  /// Tools start often, so what they do before the first value is a promise.
  @Suite("The system calls of a tool that reads one value and ends") struct SystemCallCountTests {
    let folder: TemporaryFolder

    init() throws {
      folder = try TemporaryFolder()
      // Without strace these tests would prove nothing, so they must fail.
      try #require(Trace.obstacle == nil)
      try folder.write(Plist.write(["key": 7], as: .xml), to: "PreferencesTool.plist")
    }

    /// Runs a program of this package with one folder for all preferences.
    private func trace(_ program: String, _ arguments: [String]) throws -> SystemCallTrace {
      var program = BuiltProgram(program)
      program.environment = [
        "XDG_CONFIG_HOME": folder.path, "XDG_CONFIG_DIRS": folder.path("none"),
      ]
      let run = try program.run(
        "/usr/bin/env", ["strace", "-f", "-o", folder.path("trace"), program.path] + arguments,
        in: folder)
      try #require(run.status == 0, "\(run.error)")
      if !arguments.isEmpty { #expect(run.text.hasPrefix("7")) }
      return SystemCallTrace(try folder.text("trace"))
    }

    /// The maximum number of system calls beyond the calls of a program that is linked with the
    /// same libraries and does nothing.
    static let maximum = 25

    @Test(
      "They are few, and there is no thread and no watch",
      arguments: [
        ("PreferencesTool", ["key"]), ("defaults", ["read", "PreferencesTool", "key"]),
      ])
    func reading(program: String, arguments: [String]) throws {
      let base = try trace("EmptyTool", [])
      let calls = try trace(program, arguments).calls
      let names = Set(calls.map(\.name))
      #expect(names.filter { $0.hasPrefix("clone") || $0.hasPrefix("inotify") }.isEmpty)
      #expect(
        calls.count - base.calls.count <= Self.maximum, "\(Self.list(calls, without: base))")
    }

    /// Lists calls that an empty program does not make, one per line, without addresses.
    private static func list(
      _ calls: [SystemCallTrace.Call], without base: SystemCallTrace
    ) -> String {
      func text(_ call: SystemCallTrace.Call) -> String {
        "\(call.name)(\(call.arguments.replacing(/0x[0-9a-f]+/, with: "…"))"
      }
      let known = Set(base.calls.map(text))
      return calls.map(text).filter { !known.contains($0) }.joined(separator: "\n")
    }
  }
}
