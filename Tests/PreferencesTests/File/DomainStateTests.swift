import FileStorage
import Foundation
import PropertyList
import TestSupport
import Testing

@testable import Preferences

@Suite("The state of a domain")
struct DomainStateTests {
  private let folder: TemporaryFolder
  /// Two versions of a file.
  private let files: [DomainContents.File]

  init() throws {
    folder = try TemporaryFolder(isInMemory: true)
    files = try ["one.plist", "two.plist"].map { [folder] name in
      try folder.write(try Plist.write(["k": 1], as: .xml), to: name)
      return try #require(
        try DomainContents.read(folder.path(name), attempts: 1, on: SystemDisk()).contents?.file)
    }
  }

  private static let empty = PreferencesError.emptyFile(path: "p")
  private static let wrong = PreferencesError.notPreferences(path: "p")
  private static let shortage = PreferencesError.storage(
    path: "p", SystemError(.open, code: EMFILE))

  private func time(_ milliseconds: Int) -> Moment {
    Moment(nanoseconds: 0) + .milliseconds(milliseconds)
  }

  private func name(_ file: DomainContents.File?) -> String {
    guard let file else { return "nothing" }
    return file.version.identity == files[0].version.identity ? "one" : "two"
  }

  private func text(_ state: DomainState) -> String {
    switch state.contents {
    case .memory: return "memory"
    case .unopened: return "unopened"
    case .unopenedWithoutFolder: return "no folder"
    case .missing: return "missing"
    case .loaded(let file): return "loaded \(name(file))"
    case .unreadable(let failure, let values):
      let cause =
        switch failure.cause {
        case Self.empty: "empty"
        case Self.wrong: "wrong"
        default: "shortage"
        }
      let source =
        switch values {
        case .unknown: "unknown"
        case .copy: "copy"
        case .file(let file): name(file)
        }
      return "\(cause)\(failure.reported == failure.cause ? ", reported" : ""), \(source)"
    }
  }

  /// A state for each case of the contents.
  private func states() -> [DomainState] {
    var states = [
      DomainState(.memory), DomainState(.unopened), DomainState(.unopenedWithoutFolder),
    ]
    func add(_ body: (inout DomainState) -> Void) {
      var state = DomainState(.unopened)
      body(&state)
      states.append(state)
    }
    add { _ = $0.didRead(nil) }
    add { _ = $0.didRead(files[0]) }
    add { _ = $0.didFailToRead(Self.wrong, at: time(0)) }
    add { _ = $0.didFailToRead(Self.wrong, values: .copy, at: time(0)) }
    add { state in
      _ = state.didRead(files[0])
      _ = state.didFailToRead(Self.shortage, at: time(0))
    }
    return states
  }

  private func expect(
    _ rows: [String], after event: (inout DomainState) -> String,
    _ location: SourceLocation = #_sourceLocation
  ) {
    let results = states().map { before in
      var state = before
      let result = event(&state)
      return "\(text(before)) | \(text(state)) | \(result)"
    }
    #expect(results == rows, sourceLocation: location)
  }

  @Test("has a row for a read in each state: a reported problem is over")
  func read() {
    expect([
      "memory | memory | -",
      "unopened | loaded two | -",
      "no folder | loaded two | -",
      "missing | loaded two | -",
      "loaded one | loaded two | -",
      "wrong, reported, unknown | loaded two | recovery",
      "wrong, reported, copy | loaded two | recovery",
      "shortage, reported, one | loaded two | recovery",
    ]) { $0.didRead(files[1]) ? "recovery" : "-" }
  }

  @Test("has a row for a file that is found missing in each state")
  func missing() {
    expect([
      "memory | memory | -",
      "unopened | missing | -",
      "no folder | missing | -",
      "missing | missing | -",
      "loaded one | missing | -",
      "wrong, reported, unknown | missing | recovery",
      "wrong, reported, copy | missing | recovery",
      "shortage, reported, one | missing | recovery",
    ]) { $0.didRead(nil) ? "recovery" : "-" }
  }

  @Test("has a row for an unchanged file in each state: only a known one can be")
  func unchanged() {
    expect([
      "memory | memory | -",
      "unopened | unopened | -",
      "no folder | no folder | -",
      "missing | missing | -",
      "loaded one | loaded two | -",
      "wrong, reported, unknown | wrong, reported, unknown | -",
      "wrong, reported, copy | wrong, reported, copy | -",
      "shortage, reported, one | shortage, reported, one | -",
    ]) { state in
      state.didFindUnchanged(files[1].version)
      return "-"
    }
  }

  @Test("has a row for a failure in each state: values that are known stay")
  func failure() {
    func fail(_ state: inout DomainState, isWatched: Bool) -> String {
      let (isNew, pause) = state.didFailToRead(Self.empty, isWatched: isWatched, at: time(1000))
      return (isNew ? "report" : "-") + (pause.map { ", again after \($0)" } ?? "")
    }
    expect(
      [
        "memory | memory | -",
        "unopened | empty, reported, unknown | report",
        "no folder | empty, reported, unknown | report",
        "missing | empty, reported, nothing | report",
        "loaded one | empty, reported, one | report",
        "wrong, reported, unknown | empty, reported, unknown | report",
        "wrong, reported, copy | empty, reported, copy | report",
        "shortage, reported, one | empty, reported, one | report",
      ]
    ) { fail(&$0, isWatched: false) }
    // The file may be in the process of being written.
    expect(
      [
        "memory | memory | -",
        "unopened | empty, unknown | -, again after 0.5 seconds",
        "no folder | empty, unknown | -, again after 0.5 seconds",
        "missing | empty, nothing | -, again after 0.5 seconds",
        "loaded one | empty, one | -, again after 0.5 seconds",
        "wrong, reported, unknown | empty, unknown | -, again after 0.5 seconds",
        "wrong, reported, copy | empty, copy | -, again after 0.5 seconds",
        "shortage, reported, one | empty, one | -, again after 0.5 seconds",
      ]
    ) { fail(&$0, isWatched: true) }
  }

  @Test("has a row for a failure of the system in each state: the file is read again")
  func shortage() {
    expect(
      [
        "memory | memory | -",
        "unopened | shortage, reported, unknown | report, again after 0.1 seconds",
        "no folder | shortage, reported, unknown | report, again after 0.1 seconds",
        "missing | shortage, reported, nothing | report, again after 0.1 seconds",
        "loaded one | shortage, reported, one | report, again after 0.1 seconds",
        "wrong, reported, unknown | shortage, reported, unknown | report, again after 0.1 seconds",
        "wrong, reported, copy | shortage, reported, copy | report, again after 0.1 seconds",
        "shortage, reported, one | shortage, reported, one | -, again after 0.2 seconds",
      ]
    ) { state in
      let (isNew, pause) = state.didFailToRead(Self.shortage, at: time(1000))
      #expect(state.phase.contains(.needsReread) == (text(state) != "memory"))
      #expect(state.nextReread == pause.map { time(1000) + $0 })
      return (isNew ? "report" : "-") + (pause.map { ", again after \($0)" } ?? "")
    }
  }

  @Test("has a row for a fork in each state: the child reads the file anew")
  func fork() {
    expect([
      "memory | memory | -",
      "unopened | unopened | -",
      "no folder | unopened | -",
      "missing | unopened | -",
      "loaded one | unopened | -",
      "wrong, reported, unknown | unopened | -",
      "wrong, reported, copy | unopened | -",
      "shortage, reported, one | unopened | -",
    ]) { state in
      state.mustRewrite = true
      state.saving.noteChange(at: time(0), delay: .milliseconds(50))
      let isMemory = text(state) == "memory"
      state.didFork(at: time(10))
      #expect(state.mustRewrite)
      #expect((state.saving == .clean) == !isMemory)
      return "-"
    }
  }

  @Test("tells readers in each state what they can do without a lock")
  func phases() {
    #expect(
      states().map { "\(text($0)) \($0.phase.rawValue) \($0.isKnown) \(name($0.file))" } == [
        "memory 3 true nothing", "unopened 0 false nothing", "no folder 0 false nothing",
        "missing 1 true nothing",
        "loaded one 1 true one", "wrong, reported, unknown 1 false nothing",
        "wrong, reported, copy 1 true nothing", "shortage, reported, one 5 true nothing",
      ])
  }

  @Test("A bad file that stays bad is reported once, after the time that writing it may take")
  func written() {
    var state = DomainState(.unopened)
    _ = state.didRead(files[0])
    var reports: [Int] = []
    var now = 0
    while let pause = state.didFailToRead(Self.empty, isWatched: true, at: time(now)).pause {
      now += Int(pause / .milliseconds(1))
      reports.append(now)
    }
    #expect(reports == [500])
    #expect(text(state) == "empty, reported, one")
    var isNew = state.didFailToRead(Self.empty, isWatched: true, at: time(600)).isNew
    #expect(!isNew)
    // Only text may be in the process of being written. A recovery is reported once.
    isNew = state.didFailToRead(Self.wrong, isWatched: true, at: time(700)).isNew
    #expect(isNew)
    let recoveries = [1, 2].map { _ in state.didRead(files[0]) }
    #expect(recoveries == [true, false])
  }

  @Test("A problem that was never reported has no recovery")
  func unreported() {
    var state = DomainState(.unopened)
    _ = state.didRead(files[0])
    let isNew = state.didFailToRead(Self.empty, isWatched: true, at: time(0)).isNew
    let hasRecovered = state.didRead(files[0])
    #expect(!isNew && !hasRecovered)
  }

  @Test("New values of a problem are reported anew")
  func substitutes() {
    var state = DomainState(.unopened)
    let reports = [DomainState.Values?.none, .copy, nil].map { values in
      state.didFailToRead(Self.wrong, values: values, at: time(0)).isNew
    }
    #expect(reports == [true, true, false])
    #expect(!state.keepsGoodValues)
    state.madeConstraints().copyPath = "copy"
    #expect(state.keepsGoodValues)
  }

  @Test("A problem that was reported has a recovery, also if another one follows with new values")
  func replacedProblem() {
    var state = DomainState(.unopened)
    let isReported = state.didFailToRead(Self.shortage, at: time(0)).isNew
    let next = state.didFailToRead(Self.empty, values: .copy, isWatched: true, at: time(100))
    let hasRecovered = state.didRead(files[0])
    #expect(isReported && !next.isNew && hasRecovered)
  }

  @Test("A file is expected that existed at the last read, readable or not")
  func expectations() {
    #expect(
      states().map { "\(text($0)): \($0.expectsFile)" } == [
        "memory: false", "unopened: false", "no folder: false", "missing: false",
        "loaded one: true", "wrong, reported, unknown: true", "wrong, reported, copy: true",
        "shortage, reported, one: true",
      ])
  }

  @Test("has a row for each event of watching in each state")
  func watching() {
    final class Watch: DomainFileWatch {
      func scheduleCall(after delay: Duration) {}
      func noteIdentity(_ identity: FileIdentity?) {}
    }
    func text(_ state: DomainState) -> String {
      switch state.watching {
      case .off: "off"
      case .due: "due"
      case .on: "on"
      case .unused: "unused"
      }
    }
    let watch = Watch()
    var states = Array(repeating: DomainState(.unopened), count: 4)
    _ = states[1].claimWatching()
    _ = states[2].didWatch(watch)
    _ = states[3].stopWatching()
    let rows = states.map { before -> String in
      var (read, begun, unused, forked) = (before, before, before, before)
      let isClaimed = read.claimWatching()
      #expect(isClaimed != before.phase.contains(.isWatched))
      let ended = [begun.didWatch(watch), unused.stopWatching()]
      #expect(ended.map { $0 === watch } == Array(repeating: text(before) == "on", count: 2))
      forked.didFork(at: time(0))
      let after = [before, read, begun, unused, forked].map(text).joined(separator: " | ")
      return after + " | \(before.isOutdated ? "outdated" : "-")"
    }
    #expect(
      rows == [
        "off | due | on | unused | off | -",
        "due | due | on | unused | due | -",
        "on | on | on | unused | on | -",
        "unused | due | on | unused | off | outdated",
      ])
  }

  @Test("A file that is missing counts as removed after 50 milliseconds")
  func removal() {
    var state = DomainState(.unopened)
    _ = state.didRead(files[0])
    var pauses = [0, 30].map { state.pauseBeforeRemoval(at: time($0)) }
    #expect(pauses == [.milliseconds(50), .milliseconds(20)])
    state.didFindUnchanged(files[0].version)
    pauses = [40, 90].map { state.pauseBeforeRemoval(at: time($0)) }
    #expect(pauses == [.milliseconds(50), nil])
    _ = state.didRead(nil)
    pauses = [100, 130].map { state.pauseBeforeRemoval(at: time($0)) }
    #expect(pauses == [.milliseconds(50), .milliseconds(20)])
    state.didFork(at: time(140))
    let pause = state.pauseBeforeRemoval(at: time(150))
    #expect(pause == .milliseconds(50))
  }

  @Test("A file with racy timestamps is read again for two seconds, until it has another identity")
  func racy() {
    var identity = files[0].version.identity
    identity.isRacy = true
    var state = DomainState(.unopened)
    var (now, reads) = (0, 0)
    while let pause = state.pause(before: identity, at: time(now))
      ?? state.pause(after: identity, at: time(now))
    {
      now += Int(pause / .milliseconds(1))
      reads += 1
    }
    #expect((2000..<2500).contains(now) && reads < 20)
    identity.isRacy = false
    var pause = state.pause(after: identity, at: time(now))
    #expect(pause == nil)
    var other = files[1].version.identity
    other.isRacy = true
    pause = state.pause(before: other, at: time(now))
    #expect(pause == .milliseconds(20))
  }

  @Test("A wait for the lock is reported once for each commit, other things once")
  func reports() {
    var state = DomainState(.unopened)
    for event in [DomainState.Reports.lockWait, .ownerChange, .polling] {
      let answers = [1, 2].map { _ in state.isFirstReport(of: event) }
      #expect(answers == [true, false])
    }
    state.mustRewrite = true
    state.didSave()
    #expect(!state.mustRewrite)
    let again = [DomainState.Reports.lockWait, .ownerChange, .polling].map {
      state.isFirstReport(of: $0)
    }
    #expect(again == [true, false, false])
    state.didFork(at: time(0))
    let inChild = [DomainState.Reports.lockWait, .ownerChange, .polling].map {
      state.isFirstReport(of: $0)
    }
    #expect(inChild == [true, false, false])
  }

  @Test("takes at most 128 bytes: a server has many thousands")
  func size() { #expect(MemoryLayout<DomainState>.size <= 128) }
}
