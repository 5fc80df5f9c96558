#if Etcd
  import Foundation
  import TestSupport
  import Testing

  @Suite("The page A fleet", .timeLimit(.minutes(10)), .serialized)
  struct FleetPageTests {
    private static var page: String {
      get throws {
        let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
          .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let path = "Sources/EtcdStore/EtcdStore.docc/AFleet.md"
        return try String(contentsOf: package.appendingPathComponent(path), encoding: .utf8)
      }
    }

    @Test("Its three machines do what it says", .enabled(if: geteuid() == 0))
    func threeMachines() async throws {
      let session = try PageSession(page: Self.page, section: "Three machines on one computer")
      #expect(session.blockCount > 10)
      let folder = try TemporaryFolder()
      try folder.write(session.script, to: "session")
      try folder.write(Self.computer, to: "computer")
      let run = try await Self.run(in: folder)
      #expect(run.status == 0, "\(run.text)\n\(run.error)")
    }

    /// Makes an isolated computer: with the ports of the page, no processes that could stay, and an
    /// `/etc` that is a copy. The reader is a user without privileges but for `sudo`, a script with
    /// a root shell.
    private static let computer = """
      umask 022
      ip link set lo up
      cp -a /etc etc && mount --bind etc /etc
      mkdir bin results work && chown 54321 results work && chmod 755 . bin session
      cp "$(command -v defaults)" "$(command -v defaults-sync)" bin
      cp /bin/bash bin/shell
      printf '#!%s -p\\nexec setpriv --reuid=0 --regid=0 --clear-groups "$@"\\n' \
        "$PWD/bin/shell" > bin/sudo
      chmod 755 bin/* && chmod 4755 bin/shell
      export PATH="$PWD/bin:$PATH" RESULTS="$PWD/results"
      cd work && exec setpriv --reuid=54321 --regid=54321 --clear-groups bash ../session

      """

    private static func run(in folder: TemporaryFolder) async throws -> BuiltProgram.Run {
      var program = BuiltProgram("defaults")
      program.environment = ["PATH": BuiltProgram.searchPath]
      // Not on a thread of tasks.
      let result = await withCheckedContinuation { continuation in
        Thread.detachNewThread { [program] in
          continuation.resume(
            returning: Result {
              try program.run(
                "/usr/bin/timeout",
                [
                  "480", "unshare", "--mount", "--net", "--pid", "--fork", "--kill-child",
                  "--mount-proc", "bash", "-eu", "computer",
                ], in: folder)
            })
        }
      }
      return try result.get()
    }
  }
#endif
