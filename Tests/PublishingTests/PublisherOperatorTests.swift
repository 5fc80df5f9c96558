import Publishing
import Testing

/// Behavior of the operators that `OperatorContract` does not cover.
@Suite("Operators make a publisher of another one")
struct PublisherOperatorTests {
  @Test("map: the values of a key path")
  func keyPath() {
    let source = Source<String, Never>()
    let received = Received(source.publisher.map(\.count))
    source.send("a", "bcd")
    #expect(received.values == [1, 3])
  }

  @Test("removeDuplicates: no value that equals the previous one, including nil")
  func removeDuplicates() {
    let source = Source<Int?, Never>()
    let received = Received(source.publisher.removeDuplicates())
    source.send(nil, nil, 1, 1, nil, 1)
    #expect(received.values == [nil, 1, nil, 1])
  }

  @Test("dropFirst: all but the first values", arguments: [-1, 0, 1, 2, 5])
  func dropFirst(count: Int) {
    let source = Source(first: 1)
    let received = Received(source.publisher.dropFirst(count))
    source.send(2, 3)
    source.end()
    #expect(received.values == Array([1, 2, 3].dropFirst(max(count, 0))))
    #expect(received.completions == [.finished])
  }

  @Test("dropFirst drops one value of each subscription by default")
  func dropFirstDefault() {
    let source = Source(first: 1)
    let publisher = source.publisher.dropFirst()
    let (one, two) = (Received(publisher), Received(publisher))
    source.send(2)
    #expect(one.values == [2] && two.values == [2])
  }

  @Test("first completes with a publisher that sends nothing")
  func firstOfNone() {
    let source = Source<Int, Failure>(Failure.self)
    let received = Received(source.publisher.first())
    source.end(.failure(Failure()))
    #expect(received.values == [])
    #expect(received.completions == [.failure(Failure())])
  }

  @Test("first: cancels a publisher that sends several values before the subscription has started")
  func first() {
    let source = Source(first: 1, 2, 3)
    let received = Received(source.publisher.first())
    #expect(received.values == [1])
    #expect(received.completions == [.finished])
    #expect(source.cancellations == 1)
  }

  @Test("first: a value that is sent while the first one is received is dropped")
  func firstNested() {
    let source = Source<Int, Never>()
    let received = Received(source.publisher.first()) { _, _ in source.send(2) }
    source.send(1)
    #expect(received.values == [1])
    #expect(received.completions == [.finished])
  }

  @Test("collect: all values when the publisher finishes")
  func collect() {
    let source = Source(first: 1)
    let received = Received(source.publisher.collect())
    source.send(2, 3)
    #expect(received.values == [])
    source.end()
    #expect(received.values == [[1, 2, 3]])
    #expect(received.completions == [.finished])
  }

  @Test("collect: an empty array of no values, and nothing after an error")
  func collectNothing() {
    let source = Source<Int, Failure>(Failure.self)
    let received = Received(source.publisher.collect())
    source.end()
    #expect(received.values == [[]])
    let failing = Received(source.publisher.collect())
    source.send(1)
    source.end(.failure(Failure()))
    #expect(failing.values == [])
    #expect(failing.completions == [.failure(Failure())])
  }

  @Test("collect(_:): arrays of a number of values, and the rest at the end")
  func collectCount() {
    let source = Source(first: 1)
    let received = Received(source.publisher.collect(2))
    source.send(2, 3)
    #expect(received.values == [[1, 2]])
    source.end()
    #expect(received.values == [[1, 2], [3]])
    #expect(received.completions == [.finished])
  }

  @Test("collect(_:): no rest if there is none, or after an error")
  func collectCountRest() {
    let source = Source<Int, Failure>(Failure.self)
    let even = Received(source.publisher.collect(1))
    source.send(1, 2)
    source.end()
    #expect(even.values == [[1], [2]])
    let failing = Received(source.publisher.collect(2))
    source.send(1, 2, 3)
    source.end(.failure(Failure()))
    #expect(failing.values == [[1, 2]])
  }

  @Test("collect(_:): a count below 1 is 1", arguments: [0, -1])
  func collectNone(count: Int) {
    let source = Source(first: 1)
    let received = Received(source.publisher.collect(count))
    source.send(2)
    #expect(received.values == [[1], [2]])
  }

  @Test("Operators can be chained, and canceling reaches the first publisher")
  func chain() {
    let source = Source(first: 0)
    let received = Received(
      source.publisher.dropFirst().filter { $0 != 3 }.map { $0 / 2 }.removeDuplicates().collect(2))
    source.send(1, 2, 3, 4, 5, 6)
    #expect(received.values == [[0, 1], [2, 3]])
    received.cancel()
    source.send(8, 10)
    #expect(received.values.count == 2)
    #expect(source.cancellations == 1)
  }
}
