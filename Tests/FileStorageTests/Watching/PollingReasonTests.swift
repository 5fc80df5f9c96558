import Foundation
import TestSupport
import Testing

@testable import FileStorage

@Suite("Why a file is polled", .timeLimit(.minutes(5)))
struct PollingReasonTests {
  @Test("A file that gets no watch is reported once, with the reason")
  func noWatch() throws {
    let folder = try TemporaryFolder()
    try folder.write("", to: "a")
    var options = FileWatcher.Options()
    options.watchLimit = 0
    let watcher = FileWatcher(options: options)
    let reasons = Recorder<Bool>()
    let file = watcher.watch(folder.path("a"), {}, polling: { reasons.record($0) })
    #expect(reasons.all == [true])
    #expect(watcher.statistics.polledCount == 1)
    try folder.write("x", to: "a")
    withExtendedLifetime(file) {}
    #expect(reasons.all == [true])
  }
}
