import TestSupport
import Testing
import Threading

@testable import Preferences

@Suite("Turns at a file")
struct LaneTests {
  private let lane = Lane()

  /// Takes the turn on a new thread until the latch opens.
  private func hold(until mayEnd: Latch) -> TestThread {
    let isBegun = Latch()
    let thread = TestThread { [lane] in
      lane.withTurn(until: .now + .seconds(60)) { _ in
        isBegun.open()
        mayEnd.wait()
      }
    }
    isBegun.wait()
    return thread
  }

  @Test("are refused within a turn on the same thread, and at the deadline on another")
  func refusal() {
    let result: Bool? = lane.withTurn(until: .now) { _ in
      #expect(lane.isHeldHere)
      let nested: Void? = lane.withTurn(until: .now + .seconds(60)) { _ in }
      let isRefused = Lock(false)
      let other = TestThread { [lane] in
        #expect(!lane.isHeldHere)
        let late: Void? = lane.withTurn(until: .now + .milliseconds(10)) { _ in }
        isRefused.withLock { $0 = late == nil }
      }
      #expect(other.join())
      #expect(isRefused.withLock { $0 })
      return nested == nil
    }
    #expect(result == true)
    #expect(!lane.isHeldHere)
  }

  @Test("are not waited for by a getter once the file has been read")
  func readers() {
    let (mayEnd, isRead) = (Latch(), Latch())
    let holder = hold(until: mayEnd)
    let reader = TestThread { [lane] in
      _ = lane.withTurn(until: nil, isReader: true) { _ in Issue.record("the file is read twice") }
      isRead.open()
    }
    while !isRead.isOpen { lane.noteRead() }
    #expect(reader.join())
    #expect(!holder.isFinished)
    mayEnd.open()
    #expect(holder.join())
  }

  @Test("of many jobs without a pool follow one another on the thread that ends the turn before")
  func jobs() {
    let (order, observed) = (Recorder<Int>(), Recorder<Int>())
    lane.withTurn(until: .now) { _ in
      for number in 0..<20_000 {
        lane.run(
          Lane.Job(pool: nil, priority: UInt8(number % 2)) {
            order.record(number)
            let nested: Void? = lane.withTurn(until: .now) { _ in }
            #expect(nested != nil)
          } afterwards: {
            observed.record(number)
          })
      }
      #expect(order.all == [])
    }
    let expected = stride(from: 1, to: 20_000, by: 2) + stride(from: 0, to: 20_000, by: 2)
    #expect(order.all == expected)
    #expect(observed.all == expected)
  }

  @Test("do all work that was requested meanwhile in one")
  func requests() {
    let done = Recorder<Lane.Work>()
    lane.withTurn(until: .now) { _ in
      for work in [Lane.Work.save, .read, .save] {
        lane.request(work, on: nil) { done.record($0) }
      }
    }
    #expect(done.all == [[.save, .read]])
    lane.request(.watch, on: nil) { done.record($0) }
    #expect(done.all == [[.save, .read], [.watch]])
  }

  @Test("end a wait that is canceled")
  func cancellation() {
    let (mayEnd, cancellation) = (Latch(), Cancellation())
    let holder = hold(until: mayEnd)
    let waiter = TestThread { [lane] in
      cancellation.whileRunning {
        let turn: Void? = lane.withTurn(until: .now + .seconds(600)) { _ in }
        #expect(turn == nil)
      }
    }
    cancellation.request()
    #expect(waiter.join())
    mayEnd.open()
    #expect(holder.join())
  }
}

private func + (left: StrideTo<Int>, right: StrideTo<Int>) -> [Int] { Array(left) + Array(right) }
