import EtcdStore
import Foundation
import TestSupport
import Testing

@testable import SyncCommands

@Suite("The configuration of synchronization")
struct ConfigurationTests {
  /// Reads a configuration from a text, and returns it or the lines about its mistakes without the path.
  private func load(_ text: String) throws -> Result<Configuration, ConfigurationError> {
    let folder = try TemporaryFolder()
    try folder.write(text, to: "sync.plist")
    chmod(folder.path("sync.plist"), 0o644)
    return Result { () throws(ConfigurationError) in
      try Configuration.load(folder.path("sync.plist"))
    }.mapError { error in
      ConfigurationError(
        lines: error.lines.map { $0.replacing(folder.path("sync.plist"), with: "FILE") })
    }
  }

  @Test("has everything that a connection needs, with paths relative to its folder")
  func complete() throws {
    let configuration = try load(
      """
      {
        endpoints = ("https://a.example.org:2379", "https://b.example.org:2379");
        prefix = "fleet/"; certificateAuthorityFile = "ca.pem"; certificateFile = "/c.pem";
        privateKeyFile = "/c.key"; user = fleet; passwordFile = "/password"; stateFolder = "/state";
        domains = { "org.example.editor" = (theme, "a.b"); NSGlobalDomain = (language); };
        managed = ("org.example.editor");
      }
      """
    ).get()
    var options = EtcdStore.Options(endpoints: [
      "https://a.example.org:2379", "https://b.example.org:2379",
    ])
    options.prefix = "fleet/"
    let folder = configuration.path.dropLast("/sync.plist".count)
    options.certificateAuthorityFile = "\(folder)/ca.pem"
    options.clientCertificate = .init(file: "/c.pem", privateKeyFile: "/c.key")
    options.user = .init(name: "fleet", passwordFile: "/password")
    #expect(configuration.connection == options)
    #expect(configuration.stateFolder == "/state")
    #expect(
      configuration.domains == [
        "org.example.editor": ["theme", "a.b"], "NSGlobalDomain": ["language"],
      ])
    #expect(configuration.managed == .domains(["org.example.editor"]))
    #expect(
      StateFolder(configuration).stateFile(ofDomain: "org.example.editor")
        == "/state/fleet%2Fdomains%2Forg.example.editor%2F.plist")
  }

  @Test("has times and limits, in any format of property lists")
  func numbers() throws {
    let configuration = try load(
      """
      {"endpoints": ["http://127.0.0.1:2379"], "managed": true, "connectTimeout": 1.5,
       "requestTimeout": 7, "keepAliveInterval": 20, "resumeTimeout": 0, "largestAnswer": 1000,
       "largestStore": 2000}
      """
    ).get()
    #expect(configuration.managed == .all)
    #expect(configuration.connection.connectTimeout == .seconds(1.5))
    #expect(configuration.connection.requestTimeout == .seconds(7))
    #expect(configuration.connection.keepAliveInterval == .seconds(20))
    #expect(configuration.connection.resumeTimeout == .zero)
    #expect(configuration.connection.largestAnswer == 1000)
    #expect(configuration.connection.largestStore == 2000)
  }

  @Test("has texts for numbers and booleans in OpenStep form, which has neither")
  func texts() throws {
    let configuration = try load(
      "{ \(Self.start)managed = true; connectTimeout = 1.5; requestTimeout = 7; largestAnswer = 1000; }"
    ).get()
    #expect(configuration.managed == .all)
    #expect(configuration.connection.connectTimeout == .seconds(1.5))
    #expect(configuration.connection.requestTimeout == .seconds(7))
    #expect(configuration.connection.largestAnswer == 1000)
    let none = try load("{ \(Self.start)managed = NO; domains = { d = (k); }; }").get()
    #expect(none.managed == nil)
  }

  static let start = "endpoints = (\"http://127.0.0.1:2379\"); "
  static let mistakes: [(String, [String])] = [
    ("(1)", ["FILE: expected a dictionary, found an array"]),
    ("{", ["FILE: line 1 column 1: the dictionary is not closed"]),
    (
      "{ endpoint = x; }",
      [
        "FILE: endpoint: is not a key of a configuration; did you mean endpoints?",
        "FILE: endpoints: is missing; expected an array of addresses",
      ]
    ),
    (
      "{ endpoints = (); domains = { d = (k); }; }",
      ["FILE: endpoints: expected at least one of the addresses, found none"]
    ),
    (
      "{ endpoints = (\"http://user:secret@host\"); domains = { d = (k); }; }",
      [
        "FILE: endpoints: endpoint 1 is not an address; expected one such as "
          + "https://etcd.example.org:2379, without a path and without a user"
      ]
    ),
    (
      "{ endpoints = (\"http://etcd.example.org:2379\"); user = u; passwordFile = p; "
        + "domains = { d = (k); }; }",
      [
        "FILE: endpoints: http://etcd.example.org:2379: a password needs https, except for this "
          + "machine itself"
      ]
    ),
    (
      "{ \(start)}", ["FILE: domains: expected a domain with keys here, or a domain in managed"]
    ),
    (
      "{ \(start)domains = (d); }",
      ["FILE: domains: expected a dictionary of domains with their keys, found an array"]
    ),
    (
      "{ \(start)domains = { d = theme; e = (); \"f.g\" = (k, (), k, \"\"); \"a/b\" = (k); }; }",
      [
        "FILE: domains.d: expected an array of keys, found a string",
        "FILE: domains.e: expected at least one of the keys, found none",
        "FILE: domains.f\\.g.1: expected a text, found an array",
        "FILE: domains.f\\.g.2: appears twice",
        "FILE: domains.f\\.g.3: expected a text, found an empty string",
        "FILE: domains.a/b: expected the name of a domain, without a slash",
      ]
    ),
    (
      "{ endpoints = (\"http://etcd.example.org:2379\"); managed = (d); }",
      [
        "FILE: managed: http://etcd.example.org:2379: expected https, because anybody on the "
          + "network could change managed preferences; acceptsPlainManaged = true accepts that"
      ]
    ),
    (
      "{ \(start)managed = d; }",
      ["FILE: managed: expected an array of domains, or true for all, found a string"]
    ),
    (
      "{ \(start)managed = (d); requestTimeout = soon; resumeTimeout = -1; largestStore = 1.5; }",
      [
        "FILE: requestTimeout: expected a number of seconds up to 3600, found a string",
        "FILE: resumeTimeout: expected a number of seconds up to 3600, found another number",
        "FILE: largestStore: expected a positive number of bytes, found a string",
      ]
    ),
    (
      "{ \(start)managed = (\"../x\"); }",
      [
        "FILE: managed.0: the domain ../x cannot be managed; expected a name without slashes, control "
          + "characters and a leading dot that is not that of a global domain or one in memory"
      ]
    ),
    (
      "{ \(start)managed = (d); prefix = larder; user = u; certificateFile = c; }",
      [
        "FILE: prefix: expected a text that ends with /",
        "FILE: privateKeyFile: is missing; expected it with certificateFile",
        "FILE: passwordFile: is missing; expected it with user",
      ]
    ),
    (
      "{\"endpoints\": [\"http://127.0.0.1:2379\"], \"managed\": true, \"connectTimeout\": 0, "
        + "\"requestTimeout\": \"5\", \"largestAnswer\": -1, \"largestStore\": 1.5}",
      [
        "FILE: connectTimeout: expected a number of seconds up to 3600, found another number",
        "FILE: requestTimeout: expected a number of seconds up to 3600, found a string",
        "FILE: largestAnswer: expected a positive number of bytes, found another integer",
        "FILE: largestStore: expected a positive number of bytes, found a real",
      ]
    ),
  ]

  @Test(
    "with mistakes gets one line for each, with the place and what was expected",
    arguments: mistakes)
  func rejection(text: String, lines: [String]) throws {
    let result = try load(text)
    guard case .failure(let error) = result else {
      Issue.record("the configuration was accepted")
      return
    }
    #expect(error.lines == lines)
  }

  @Test("may have managed preferences come unencrypted if it says so")
  func plainManaged() throws {
    let start = "{ endpoints = (\"http://etcd.example.org:2379\");"
    #expect(
      try load("\(start) managed = true; acceptsPlainManaged = true; }").get().managed == .all)
    #expect(try load("\(start) domains = { d = (k); }; }").get().managed == nil)
  }

  @Test("counts only if nobody else can change it")
  func permissions() throws {
    let folder = try TemporaryFolder()
    try folder.write("{ \(Self.start)managed = (d); }", to: "sync.plist")
    let path = folder.path("sync.plist")
    chmod(path, 0o666)
    #expect {
      try Configuration.load(path)
    } throws: {
      "\($0)"
        == "\(path) is open to other users, with permissions 0666; expected those of chmod 644"
    }
    #expect {
      try Configuration.load(path + ".missing")
    } throws: {
      "\($0)" == "\(path).missing cannot be opened: No such file or directory"
    }
  }
}
