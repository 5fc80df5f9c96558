import Foundation
import TestSupport
import Testing
import Threading

@testable import EtcdStore

@Suite("An answer is received piece by piece", .timeLimit(.minutes(5)))
struct HTTPExchangeTests {
  private let endpoint = Endpoint("http://127.0.0.1:1")!

  private func send(_ text: String, to exchange: HTTPExchange) -> Bool {
    Data(text.utf8).withUnsafeBytes { exchange.receive($0, status: 200) }
  }

  @Test("The sender pauses when nobody receives, and goes on afterwards")
  func pause() async throws {
    let exchange = HTTPExchange()
    let resumptions = Lock(0)
    exchange.setSender {
      resumptions.withLock { $0 += 1 }
    } stop: {
    }
    var count = 0
    let piece = String(repeating: "x", count: 16 << 10)
    while send(piece, to: exchange) { count += 1 }
    #expect(count == 16)
    #expect(resumptions.withLock { $0 } == 0)
    #expect(try await exchange.next()?.count == HTTPExchange.largestBuffer)
    #expect(resumptions.withLock { $0 } == 1)
    #expect(send("rest", to: exchange))
    exchange.end(.success(()))
    #expect(try await exchange.next() == Data("rest".utf8))
    #expect(try await exchange.next() == nil)
  }

  @Test("A canceled task resumes at once, and the sender is told once")
  func cancellation() async throws {
    let exchange = HTTPExchange()
    let stops = Lock(0)
    exchange.setSender {
    } stop: {
      stops.withLock { $0 += 1 }
    }
    let task = Task { try await exchange.next() }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    exchange.cancel()
    #expect(stops.withLock { $0 } == 1)
    // What the sender had on its way is ignored.
    #expect(send("late", to: exchange))
    await #expect(throws: CancellationError.self) { try await exchange.next() }
  }

  @Test("What a task receives before a failure was sent without a gap")
  func failure() async throws {
    for _ in 0..<2000 {
      let exchange = HTTPExchange()
      let hasFailed = Lock(false)
      Thread.detachNewThread {
        exchange.fail(.timedOut)
        hasFailed.withLock { $0 = true }
      }
      var sent: UInt8 = 0
      while !hasFailed.withLock({ $0 }) {
        _ = withUnsafeBytes(of: sent) { exchange.receive($0, status: 200) }
        sent &+= 1
      }
      var received = Data()
      do {
        while let data = try await exchange.next() { received += data }
      } catch {
        #expect(error as? HTTPFailure == .timedOut)
      }
      try #require(received.first ?? 0 == 0)
    }
  }

  @Test("A fork does not wait for a delivery that is held up")
  func fork() async {
    // In a separate process, where no test delays a fork.
    await #expect(processExitsWith: .success) { try await Self.deliverDuringFork() }
  }

  private static func deliverDuringFork() async throws {
    let exchange = HTTPExchange()
    let (isHeld, isSending) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let isForked = DispatchSemaphore(value: 0)
    let (hasBegun, hasForked) = (Lock(false), Lock(false))
    // The runtime calls the handler with a lock of the task held, as it does when it is canceled.
    let task = Task(priority: .background) {
      try await withTaskPriorityEscalationHandler {
        hasBegun.withLock { $0 = true }
        return try await exchange.next()
      } onPriorityEscalated: { _, _ in
        isHeld.signal()
        #expect(isForked.wait(timeout: .now() + 20) == .success)
      }
    }
    #expect(await eventually { hasBegun.withLock { $0 } })
    // Longer than the task takes to wait.
    try await Task.sleep(for: .milliseconds(100))
    Thread.detachNewThread { task.escalatePriority(to: .high) }
    let isStarted = BackgroundThread.start("test-sender") {
      ForkGate.shared.allowingForks { _ = isHeld.wait(timeout: .now() + 60) }
      isSending.signal()
      _ = withUnsafeBytes(of: UInt8(1)) { exchange.receive($0, status: 200) }
    }
    #expect(isStarted)
    Thread.detachNewThread {
      isSending.wait()
      // Longer than the sender takes to wait.
      usleep(100_000)
      TestFork.make()
      isForked.signal()
      hasForked.withLock { $0 = true }
    }
    // Only then, since waiting for the task also calls the handler.
    #expect(await eventually { hasForked.withLock { $0 } })
    #expect(try await task.value == Data([1]))
  }

  @Test("Lines are put together of any pieces, and are limited")
  func lines() async throws {
    let text = "first\n\nthird line\nfourth\n"
    for size in [1, 2, 3, 7, 100] {
      let exchange = HTTPExchange()
      var lines = LineStream(exchange, limit: 20, at: endpoint)
      let bytes = Array(text.utf8)
      for start in stride(from: 0, to: bytes.count, by: size) {
        let piece = bytes[start..<min(start + size, bytes.count)]
        #expect(send(String(decoding: piece, as: UTF8.self), to: exchange))
      }
      exchange.end(.success(()))
      var found: [String] = []
      while let line = try await lines.next() {
        found.append(String(decoding: line, as: UTF8.self))
      }
      #expect(found == ["first", "", "third line", "fourth"])
    }
    let exchange = HTTPExchange()
    var lines = LineStream(exchange, limit: 20, at: endpoint)
    #expect(send(String(repeating: "x", count: 21), to: exchange))
    await #expect(throws: EtcdError(.tooLarge(limit: 20), at: endpoint)) {
      try await lines.next()
    }
    let cut = HTTPExchange()
    var rest = LineStream(cut, limit: 20, at: endpoint)
    #expect(send("half a line", to: cut))
    cut.end(.success(()))
    await #expect(throws: HTTPFailure.truncated) { try await rest.next() }
  }
}
