import Foundation
import PropertyList
import TestSupport
import Testing

/// Devices, pipes and descriptors instead of files: `$PLUTIL` and `$PLISTBUDDY` write through them
/// and never replace what they lead to.
@Suite("Output to streams and descriptors")
struct OutputStreamTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("{\"a\":\"b\"}", to: "data.json")
    try folder.write("before\n", to: "log")
    symlink("/dev/stdout", folder.path("link"))
    #expect(mkfifo(folder.path("pipe"), 0o600) == 0)
  }

  private func shell(_ command: String) throws -> BuiltProgram.Run {
    var program = Plutil.program
    program.environment["PLISTBUDDY"] = PlistBuddyProgram.program.path
    return try program.run("/bin/bash", ["-c", command], in: folder)
  }

  private static let json = "{\"a\":\"b\"}"

  @Test(
    "a log that standard output is appended to keeps what it has",
    arguments: ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "link", "./link", "-"])
  func appending(output: String) throws {
    let log = try FileManager.default.attributesOfItem(atPath: folder.path("log"))
    for command in [
      "$PLUTIL -convert json -o \(output) data.json >> log",
      "$PLUTIL -insert c -integer 1 -o \(output) data.json >> log",
      "$PLUTIL -extract a raw -o \(output) data.json >> log",
      "$PLUTIL -create json \(output) >> log",
    ] {
      try shell(command).expect()
    }
    // Only standard output gets a line; a file holds the value alone.
    let value = output == "-" ? "b\n" : "b"
    #expect(
      try folder.text("log") == "before\n\(Self.json){\"a\":\"b\",\"c\":1}\(value){}")
    let after = try FileManager.default.attributesOfItem(atPath: folder.path("log"))
    #expect(after[.systemFileNumber] as? Int == log[.systemFileNumber] as? Int)
    #expect(try folder.names() == ["data.json", "link", "log", "pipe"])
  }

  @Test("a descriptor is written where it is, whatever it has open")
  func descriptors() throws {
    try shell(
      "{ echo one; $PLUTIL -convert json -o /dev/fd/3 data.json; echo two; } 3>&1 1>&3 > log; "
        + "exec 4>>log; $PLUTIL -convert json -o /dev/fd/4 data.json"
    ).expect(output: Self.json)
    #expect(try folder.text("log") == "one\ntwo\n\(Self.json)")
    try shell("$PLUTIL -convert json -o /dev/stdout data.json | cat").expect(output: Self.json)
    try shell("$PLUTIL -convert json -o pipe data.json & cat pipe; wait")
      .expect(output: Self.json)
    try shell("$PLUTIL -convert json -o /dev/stderr data.json 2>> log").expect()
    #expect(try folder.text("log") == "one\ntwo\n\(Self.json)\(Self.json)")
    try shell("$PLUTIL -convert json -o /dev/null data.json").expect()
    try shell("$PLUTIL -convert json -o /dev/stdin data.json < log").expect(
      error: "/dev/stdin: cannot write: Bad file descriptor\n", status: 1)
    try shell("$PLUTIL -convert json -o /dev/fd/99 data.json").expect(
      error: "/dev/fd/99: cannot create a file in its folder: No such file or directory\n",
      status: 1)
    #expect(try folder.names() == ["data.json", "link", "log", "pipe"])
  }

  @Test("the descriptor of another process is appended to")
  func otherProcess() throws {
    try shell(
      "sleep 60 4>> log & process=$!; "
        + "while [ ! -e /proc/$process/fd/4 ]; do sleep 0.01; done; "
        + "$PLUTIL -convert json -o /proc/$process/fd/4 data.json; kill $process"
    ).expect()
    #expect(try folder.text("log") == "before\n\(Self.json)")
  }

  @Test("a socket is not replaced, and nothing is put beside it")
  func socket() throws {
    let program = """
      import socket, sys
      server = socket.socket(socket.AF_UNIX); server.bind("socket"); server.listen()
      """
    try shell("python3 -c '\(program)'; $PLUTIL -convert json -o socket data.json").expect(
      error: "socket: cannot open: No such device or address\n", status: 1)
    #expect(try folder.names() == ["data.json", "link", "log", "pipe", "socket"])
    let pair = """
      import os, socket, subprocess, sys
      one, other = socket.socketpair()
      subprocess.run([os.environ["PLUTIL"], "-convert", "json", "-o", "/dev/stdout", "data.json"], \
      stdout=other)
      other.close()
      sys.stdout.write(one.recv(1000).decode())
      """
    try shell("python3 -c '\(pair)'").expect(output: Self.json)
  }

  @Test(
    "a file behind a descriptor is read, but not replaced",
    arguments: ["-convert json", "-insert c -integer 1", "-remove a"])
  func input(verb: String) throws {
    for (path, redirection) in [("/dev/stdin", "< data.json"), ("/dev/fd/4", "4<> data.json")] {
      try shell("$PLUTIL \(verb) \(path) \(redirection)").expect(
        error: "\(path): not a regular file; use -o to choose the output\n",
        status: 1)
      let run = try shell("$PLUTIL \(verb) -o - \(path) \(redirection)")
      #expect(run.status == 0 && !run.output.isEmpty && run.error.isEmpty)
    }
    #expect(try folder.text("data.json") == "{\"a\":\"b\"}")
    #expect(try folder.names() == ["data.json", "link", "log", "pipe"])
  }

  @Test("there is no place beside a descriptor")
  func beside() throws {
    for (command, error) in [
      ("-convert swift /dev/stdin < data.json", "/dev/stdin is not a regular file; "),
      ("-convert xml1 -e plist /dev/stdin < data.json", "/dev/stdin is not a regular file; "),
      (
        "-convert objc -header -o /dev/stdout data.json",
        "-header needs a regular file for the source; /dev/stdout is not one"
      ),
    ] {
      let run = try shell("$PLUTIL \(command)")
      #expect(run.status == 1)
      #expect(run.error.hasPrefix("plutil: \(error)"), "\(run.error)")
      #expect(run.text.isEmpty)
    }
    #expect(!FileManager.default.fileExists(atPath: "/dev/stdin.swift"))
  }

  @Test("PlistBuddy edits no file by its descriptor")
  func editing() throws {
    let refusal = "an open file descriptor cannot be replaced\n"
    for (path, redirection) in [
      ("/dev/stdin", "< data.json"), ("/dev/stdout", ">> data.json"),
      ("/dev/fd/4", "4<> data.json"),
    ] {
      try shell("$PLISTBUDDY -c 'Set :a c' \(path) \(redirection)").expect(
        error: "\(path): \(refusal)", status: 1)
    }
    try shell("$PLISTBUDDY -c 'Print :a' /dev/stdin < data.json").expect(output: "b\n")
    try shell("cat data.json | $PLISTBUDDY -c 'CD :' -c Revert -c 'Print :a' /dev/stdin").expect(
      output: "Reverting to last saved state...\nb\n")
    try shell("$PLISTBUDDY -c 'Print :x' <(cat data.json)").expect(
      error: "Print: Entry, \":x\", Does Not Exist\n", status: 1)
    try shell("cat data.json | $PLISTBUDDY -c 'Set :a c' /dev/stdin").expect(
      error: "/dev/stdin: \(refusal)", status: 1)
    try shell("$PLISTBUDDY -c 'Set :a c' pipe").expect(
      error: "pipe: not a regular file\n", status: 1)
    #expect(try folder.text("data.json") == "{\"a\":\"b\"}")
    #expect(try folder.names() == ["data.json", "link", "log", "pipe"])
  }
}
