import Foundation
import PropertyList
import TestSupport
import Testing

extension ProcessTests {
  /// The container is made of namespaces, with util-linux as the only other programs. If the tests
  /// do not run as root, its user has the number 0, as in a container without a user database, but
  /// no capabilities.
  @Suite(
    "The server of the examples in a container",
    .enabled(if: MountNamespace.obstacle == nil, "\(MountNamespace.obstacle ?? "")"))
  struct TenantServerContainerTests {
    private let folder: TemporaryFolder

    init() throws {
      folder = try TemporaryFolder()
    }

    /// Commands that make a read-only root folder with the programs, and one writable folder.
    private var commands: [String] {
      let programs = URL(fileURLWithPath: BuiltProgram("TenantServer").path)
        .deletingLastPathComponent().path
      return [
        "mkdir disk root && mount -t tmpfs -o mode=755 none root",
        """
        for folder in /usr /bin /lib /lib64 /opt '\(programs)'; do
          if [ -L $folder ]; then cp -P $folder root/; continue; fi
          [ -d $folder ] || continue
          mkdir -p root/$folder && mount --bind $folder root/$folder || exit 1
          mount -o remount,bind,ro root/$folder || exit 1
        done
        """,
        "mkdir root/srv && mount -t tmpfs -o mode=770 none root/srv",
        "mount -o remount,bind,ro root",
      ]
    }

    /// Starts the server in the container and waits until it is ready.
    private func start(in system: MountNamespace) throws {
      let user = getuid() == 0 ? "--reuid=123456 --regid=0 --clear-groups" : ""
      let variables =
        "PATH=/usr/sbin:/usr/bin:/bin SWIFT_BACKTRACE=enable=no TENANT_SERVER_SOCKET=/srv/socket "
        + "TENANT_SERVER_TENANTS=/srv/tenants TENANT_SERVER_THREADS=4"
      let (status, output) = system.run(
        """
        (
          unshare --pid --fork --kill-child env -i \(variables) chroot root setpriv \(user) \\
            --bounding-set=-all --inh-caps=-all --no-new-privs bash -c \\
            'ulimit -n 32; touch /new 2> /srv/refused; exec \(BuiltProgram("TenantServer").path)' &
          echo $! > starter
          wait $!
          echo $? > status
        ) > log 2>&1 &
        """)
      try #require(status == 0, "\(output)")
      let isReady = eventually {
        (try? folder.text("log").contains("ready, ")) == true
          || FileManager.default.fileExists(atPath: folder.path("status"))
      }
      #expect(isReady)
    }

    @Test(
      "With any user, a read-only root, 32 descriptors, and neither capabilities, HOME, /proc nor /etc"
    )
    func container() throws {
      let system = try MountNamespace(
        in: folder, commands[0], commands[1], commands[2], commands[3])
      try start(in: system)
      let log = try folder.text("log")
      try #require(log.hasPrefix("ready, 0 tenants"), "\(log)")
      func ask(_ request: String) -> String {
        system.run("TenantServer ask root/srv/socket \(request)").output
      }
      #expect(ask("set acme theme dark").hasPrefix("ok"))
      #expect(ask("add acme visits 1").hasPrefix("1"))
      for tenant in 0..<40 { #expect(ask("set tenant-\(tenant) count 1").hasPrefix("ok")) }
      #expect(ask("flush").hasPrefix("ok"))

      // Another process edits a file, here from outside the container.
      let file = "root/srv/tenants/acme/preferences.plist"
      #expect(system.run("plutil -replace theme -string light \(file)").status == 0)
      #expect(eventually { ask("get acme theme").hasPrefix("light") })

      #expect(ask("set acme last word").hasPrefix("ok"))
      let kill = system.run(
        "starter=$(cat starter); kill $(cat /proc/$starter/task/$starter/children)")
      #expect(kill.status == 0, "\(kill.output)")
      // The shell creates the file before it writes to it.
      #expect(eventually { (try? folder.text("status"))?.hasSuffix("\n") == true })
      let (end, rest) = (try folder.text("status"), try folder.text("log"))
      #expect(end == "0\n", "\(rest)")
      #expect(
        system.run("plutil -convert json -o - \(file)").output
          == #"{"last":"word","theme":"light","visits":1}"#)
      #expect(system.run("ls root/srv/tenants").output.split(separator: "\n").count == 41)
      #expect(system.run("cat root/srv/refused").output.contains("Read-only file system"))
    }
  }
}
