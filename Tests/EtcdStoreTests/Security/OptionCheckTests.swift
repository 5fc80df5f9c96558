import Foundation
import PreferencesSync
import TestSupport
import Testing

@testable import EtcdStore

@Suite("Options and files are checked before anything is connected")
struct OptionCheckTests {
  @Test("An address is a scheme, a host and a port")
  func endpoints() {
    for text in [
      "http://127.0.0.1:2379", "https://etcd.example.org", "https://[::1]:2379",
      "HTTPS://etcd.example.org:1/",
    ] {
      #expect(Endpoint(text) != nil, "\(text)")
    }
    for text in [
      "", "etcd.example.org:2379", "ftp://etcd.example.org", "https://", "https://u:p@host",
      "https://host/path", "https://host?query", "https://host#part", "https://host:0",
      "https://host:65536", "https://ho st", "https://host\n", "unix:///run/etcd",
      "https://h\u{E9}st",
    ] {
      #expect(Endpoint(text) == nil, "\(text)")
    }
    #expect(Endpoint("HTTPS://h:1/")?.description == "https://h:1")
    #expect(Endpoint("http://127.1.2.3:1")?.isLoopback == true)
    #expect(Endpoint("http://localhost")?.isLoopback == true)
    #expect(Endpoint("http://127.0.0.1.example.org")?.isLoopback == false)
  }

  private func problem(_ change: (inout EtcdStore.Options) -> Void) -> String? {
    var options = EtcdStore.Options(endpoints: ["https://host:1"])
    change(&options)
    do {
      _ = try options.checkedEndpoints()
      return nil
    } catch {
      return "\(error)"
    }
  }

  @Test("Options that describe no cluster are refused")
  func options() {
    #expect(problem { _ in } == nil)
    #expect(problem { $0.endpoints = [] } == "there are no endpoints")
    #expect(
      problem { $0.endpoints = ["https://host", "https://me:secret@host"] } == """
        endpoint 2 is not an address; expected one such as https://etcd.example.org:2379, without \
        a path and without a user
        """)
    let user = EtcdStore.User(name: "fleet", passwordFile: "/nowhere")
    #expect(
      problem {
        $0.endpoints = ["http://host:1"]
        $0.user = user
      } == "http://host:1: a password needs https, except for this machine itself")
    #expect(
      problem {
        $0.endpoints = ["http://127.0.0.1:1"]
        $0.user = user
      } == nil)
    #expect(
      problem {
        $0.endpoints = ["http://127.0.0.1:1"]
        $0.certificateAuthorityFile = "/nowhere"
      } == "http://127.0.0.1:1: certificates need https")
    #expect(
      problem { $0.requestTimeout = .zero }
        == "a time is out of range; expected more than 0 and at most one hour")
    #expect(
      problem { $0.largestAnswer = 0 } == "a limit is out of range; expected more than 0 bytes")
  }

  private func problem(
    _ folder: TemporaryFolder, _ name: String, _ protection: ProtectedFile.Protection
  ) -> String? {
    do {
      _ = try ProtectedFile.read(folder.path(name), protection)
      return nil
    } catch {
      return "\(error)".replacing(folder.path, with: "folder")
    }
  }

  @Test("A secret that others may read is refused")
  func permissions() throws {
    let folder = try TemporaryFolder()
    try folder.write("secret", to: "f")
    // A file that root owns may be readable for its group, as in containers.
    let isRoot = geteuid() == 0
    for (mode, secret, published) in [
      (0o600, true, true), (0o400, true, true), (0o640, isRoot, true), (0o660, false, false),
      (0o644, false, true), (0o604, false, true), (0o666, false, false), (0o620, false, false),
    ] {
      chmod(folder.path("f"), mode_t(mode))
      #expect((problem(folder, "f", .secret) == nil) == secret, "\(String(mode, radix: 8))")
      #expect((problem(folder, "f", .published) == nil) == published, "\(String(mode, radix: 8))")
    }
    chmod(folder.path("f"), 0o644)
    #expect(
      problem(folder, "f", .secret)
        == "folder/f is open to other users, with permissions 0644; expected those of chmod 600")
    chmod(folder.path("f"), 0o622)
    #expect(
      problem(folder, "f", .published)
        == "folder/f is open to other users, with permissions 0622; expected those of chmod 644")
  }

  @Test("What is no file of text is refused without waiting")
  func files() throws {
    let folder = try TemporaryFolder()
    #expect(
      problem(folder, "none", .secret)
        == "folder/none cannot be opened: No such file or directory")
    mkfifo(folder.path("pipe"), 0o600)
    #expect(problem(folder, "pipe", .secret) == "folder/pipe is not a regular file")
    #expect(problem(folder, ".", .published) == "folder/. is not a regular file")
    try folder.write("", to: "empty")
    #expect(problem(folder, "empty", .published) == "folder/empty is empty")
    try folder.write(Data(count: 2 << 20), to: "large")
    #expect(problem(folder, "large", .published) == "folder/large is larger than 1 MiB")
    if geteuid() == 0 {
      try folder.write("x", to: "foreign")
      chown(folder.path("foreign"), 12345, 0)
      #expect(
        problem(folder, "foreign", .published)
          == "folder/foreign belongs to another user; expected root or the user of the process")
    }
  }

  @Test("Text of a server becomes one printable line")
  func text() {
    #expect(PrintableText.make("a\u{1B}[0m\r\n\u{202E}b") == "a [0m   b")
    #expect(PrintableText.make(String(repeating: "x", count: 500)).count == 203)
  }
}
