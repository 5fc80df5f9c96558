import Foundation
import Preferences
import PropertyList
import Synchronization

extension Main {
  /// `measure-server` prints how long a server waits for several operations. A folder is given
  /// instead of the file; the program is beside `TenantServer`.
  func measureServer() throws {
    try measureLayers()
    try measureStart()
    try measureFlush()
    try measureHealthyTenant()
    try measureReads()
  }

  /// Creates files with 40 keys, in folders for all layers.
  ///
  /// - Parameter name: The path of the file within the folder of a tenant.
  private func createTenants(
    in folder: String, count: Int, as name: String = "user/org.example.service.plist"
  ) throws {
    var values = PlistDictionary()
    for index in 0..<20 {
      values["limit of requests for \(index)"] = .integer(Int64(index) * 1000)
      values["title of page \(index)"] = .string("The title of the page with the number \(index)")
    }
    let data = try Plist.write(.dictionary(values), as: .xml)
    for index in 0..<count {
      let file = URL(fileURLWithPath: "\(folder)/tenant-\(index)/\(name)")
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try data.write(to: file)
    }
  }

  /// Measures opening and reading stores of a domain with all layers, each in a separate folder,
  /// before files are watched.
  private func measureLayers() throws {
    try createTenants(in: path + "/layers", count: 200)
    let memory = Self.residentKilobytes(of: "self")
    let start = ContinuousClock.now
    let load = try LoadedStores(folder: path + "/layers", count: 200)
    for store in load.stores { _ = store.integer(forKey: "version") }
    let milliseconds = Int((ContinuousClock.now - start) / .milliseconds(1))
    let growth = Double(Self.residentKilobytes(of: "self") - memory) / 200
    say(
      "200 stores with all layers, opened and read in a process that watches nothing: "
        + "\(milliseconds) ms, \(Self.tenths(growth)) KB each")
  }

  /// Measures from the start of the server's program to the line `ready`, and its memory then.
  private func measureStart() throws {
    try FileManager.default.createDirectory(
      atPath: path + "/none", withIntermediateDirectories: true)
    try createTenants(in: path + "/many", count: 200, as: "preferences.plist")
    let none = try (0..<7).map { _ in try startServer(tenants: path + "/none") }
    let many = try (0..<7).map { _ in try startServer(tenants: path + "/many") }
    func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
    let start = (median(none.map(\.milliseconds)), median(many.map(\.milliseconds)))
    let memory = median(many.map(\.kilobytes)) - median(none.map(\.kilobytes))
    say(
      "start to ready with 200 tenants (target 70 ms): \(Int(start.1)) ms, of which "
        + "\(Int(start.0)) ms without tenants; the server says \"\(many[0].line)\"")
    say("memory of a tenant with 40 keys (target 20 KB): \(Self.tenths(memory / 200)) KB")
  }

  private static func tenths(_ number: Double) -> String { "\((number * 10).rounded() / 10)" }

  private func startServer(
    tenants: String
  ) throws -> (milliseconds: Double, kilobytes: Double, line: String) {
    let program = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    let process = Process()
    process.executableURL = program.appendingPathComponent("TenantServer")
    process.arguments = ["--socket=\(path)/socket", "--tenants=\(tenants)"]
    let output = Pipe()
    process.standardOutput = output
    let start = ContinuousClock.now
    try process.run()
    let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    let time = (ContinuousClock.now - start) / .milliseconds(1)
    let memory = Self.residentKilobytes(of: "\(process.processIdentifier)")
    process.terminate()
    process.waitUntilExit()
    return (time, Double(memory), line.split(separator: "\n").first.map(String.init) ?? "")
  }

  /// Measures `flushAll` with 200 changed stores, while 16 threads read.
  private func measureFlush() throws {
    try createTenants(in: path + "/dirty", count: 200)
    for (pause, text) in [(1000, "as a server does"), (0, "without a pause")] {
      let load = try LoadedStores(folder: path + "/dirty", count: 200)
      for store in load.stores { _ = store.integer(forKey: "version") }
      load.startReaders(16, pause: UInt32(pause))
      var times: [Int] = []
      for round in 0..<5 {
        for store in load.stores { store.set("\(round) \(text)", forKey: "round") }
        let start = ContinuousClock.now
        try PreferencesStore.flushAll()
        times.append(Int((ContinuousClock.now - start) / .milliseconds(1)))
      }
      load.stop()
      say("saving 200 changed tenants while 16 threads read \(text) (target 300 ms): \(times) ms")
    }
  }

  /// Measures the time until a value is on disk, without a call, while other processes hold the locks
  /// of five other changed stores.
  private func measureHealthyTenant() throws {
    try createTenants(in: path + "/locked", count: 6)
    let load = try LoadedStores(folder: path + "/locked", count: 6)
    let holders = try (0..<5).map { index in
      try LockHolder("\(path)/locked/tenant-\(index)/user/org.example.service.plist")
    }
    defer { for holder in holders { holder.end() } }
    let file = "\(path)/locked/tenant-5/user/org.example.service.plist"
    var times: [Int] = []
    for round in 0..<5 {
      for store in load.stores[..<5] { store.set(round, forKey: "round") }
      usleep(100_000)
      let old = try Data(contentsOf: URL(fileURLWithPath: file))
      let start = ContinuousClock.now
      load.stores[5].set(round, forKey: "round")
      while try Data(contentsOf: URL(fileURLWithPath: file)) == old { usleep(1000) }
      times.append(Int((ContinuousClock.now - start) / .milliseconds(1)))
    }
    say(
      "a tenant on disk while five others are locked, with the commit delay of 50 ms (target 200 "
        + "ms): \(times) ms")
  }

  /// Another process that holds the lock of a file.
  private struct LockHolder {
    let process = Process()
    let input = Pipe()

    init(_ path: String) throws {
      process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
      process.arguments = [path, "hold-lock"]
      process.standardInput = input
      let output = Pipe()
      process.standardOutput = output
      try process.run()
      _ = output.fileHandleForReading.availableData
    }

    func end() {
      try? input.fileHandleForWriting.close()
      process.waitUntilExit()
    }
  }

  /// Measures each of the reads of 16 threads, while another one commits 100 times a second.
  private func measureReads() throws {
    try createTenants(in: path + "/read", count: 1)
    let store = try LoadedStores(folder: path + "/read", count: 1).stores[0]
    store.set(0, forKey: "version")
    try store.flush()
    let writer = CommittingThread(store)
    let start = ContinuousClock.now
    let empty = Self.samples {}
    let reads = Self.samples { _ = store.integer(forKey: "limit of requests for 7") }
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    let rate = Int(Double(writer.end()) / seconds)
    say(
      "a read beside 15 other reading threads and \(rate) commits a second (target p99.9 1000 ns): "
        + "\(reads); of this two readings of the clock: \(empty)"
    )
  }

  /// Times an operation on 16 threads, two million times on each.
  private static func samples(_ body: @escaping @Sendable () -> Void) -> TimeCounts {
    let all = Mutex(TimeCounts())
    let group = DispatchGroup()
    for _ in 0..<16 {
      group.enter()
      Thread.detachNewThread {
        var counts = TimeCounts()
        for _ in 0..<2_000_000 {
          let start = Self.nanoseconds()
          body()
          counts.add(Self.nanoseconds() - start)
        }
        all.withLock { $0.add(counts) }
        group.leave()
      }
    }
    group.wait()
    return all.withLock { $0 }
  }

  private static func nanoseconds() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}

/// How often an operation took each number of nanoseconds.
private struct TimeCounts: CustomStringConvertible {
  /// The last element counts all that took longer.
  private var counts = [Int](repeating: 0, count: 100_000)

  mutating func add(_ nanoseconds: UInt64) {
    counts[Int(min(nanoseconds, UInt64(counts.count - 1)))] += 1
  }

  mutating func add(_ other: TimeCounts) {
    for index in counts.indices { counts[index] += other.counts[index] }
  }

  private func percentile(_ part: Double) -> Int {
    var rest = Int(Double(counts.reduce(0, +)) * part)
    return counts.firstIndex { count in
      rest -= count
      return rest < 0
    } ?? counts.count
  }

  var description: String {
    "p50 \(percentile(0.5)), p99 \(percentile(0.99)), p99.9 \(percentile(0.999)) ns"
  }
}

/// A thread that commits a change of a store a hundred times a second.
private final class CommittingThread: Sendable {
  private let isStopping = Atomic(false)
  private let commits = Atomic(0)
  private let hasEnded = DispatchSemaphore(value: 0)

  init(_ store: PreferencesStore) {
    Thread.detachNewThread { [self] in
      var next = ContinuousClock.now
      while !isStopping.load(ordering: .relaxed) {
        next += .milliseconds(10)
        store.set(commits.load(ordering: .relaxed), forKey: "version")
        if (try? store.flush()) != nil { commits.add(1, ordering: .relaxed) }
        let rest = (next - .now) / .microseconds(1)
        if rest > 0 { usleep(UInt32(rest)) }
      }
      hasEnded.signal()
    }
  }

  /// Ends the thread.
  ///
  /// - Returns: The number of commits.
  func end() -> Int {
    isStopping.store(true, ordering: .relaxed)
    hasEnded.wait()
    return commits.load(ordering: .relaxed)
  }
}
