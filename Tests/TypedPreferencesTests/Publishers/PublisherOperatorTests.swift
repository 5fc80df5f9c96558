import Testing
import TypedPreferences

@Suite("A publisher can be made of another one")
struct PublisherOperatorTests {
  struct Failure: Error, Equatable {}

  @Test("map: what a closure makes of each value")
  func map() {
    let source = Source(first: 1)
    let received = Received(source.publisher.map { "\($0)" })
    source.send(2, 3)
    source.end()
    #expect(received.values == ["1", "2", "3"])
    #expect(received.completions == [.finished])
  }

  @Test("map: a key path will do")
  func keyPath() {
    let source = Source<String, Never>()
    let received = Received(source.publisher.map(\.count))
    source.send("a", "bcd")
    #expect(received.values == [1, 3])
  }

  @Test("compactMap: the same without nil")
  func compactMap() {
    let source = Source<String, Never>()
    let received = Received(source.publisher.compactMap { Int($0) })
    source.send("1", "a", "3")
    #expect(received.values == [1, 3])
  }

  @Test("filter: the values that a closure finds fit")
  func filter() {
    let source = Source<Int, Never>()
    let received = Received(source.publisher.filter { $0 % 2 == 0 })
    source.send(1, 2, 3, 4)
    #expect(received.values == [2, 4])
  }

  @Test("removeDuplicates: nothing that equals the value before, nil among them")
  func removeDuplicates() {
    let source = Source<Int?, Never>()
    let received = Received(source.publisher.removeDuplicates())
    source.send(nil, nil, 1, 1, nil, 1)
    #expect(received.values == [nil, 1, nil, 1])
  }

  @Test("removeDuplicates(by:): a closure says what counts as equal to the value before")
  func removeDuplicatesBy() {
    let source = Source<Int, Never>()
    let received = Received(source.publisher.removeDuplicates { abs($0 - $1) <= 1 })
    source.send(1, 2, 3, 7, 8, 4)
    #expect(received.values == [1, 7, 4])
  }

  @Test("dropFirst: all but the first ones", arguments: [-1, 0, 1, 2, 5])
  func dropFirst(count: Int) {
    let source = Source(first: 1)
    let received = Received(source.publisher.dropFirst(count))
    source.send(2, 3)
    source.end()
    #expect(received.values == Array([1, 2, 3].dropFirst(max(count, 0))))
    #expect(received.completions == [.finished])
  }

  @Test("dropFirst leaves out one value, of each subscription")
  func dropFirstDefault() {
    let source = Source(first: 1)
    let publisher = source.publisher.dropFirst()
    let (one, two) = (Received(publisher), Received(publisher))
    source.send(2)
    #expect(one.values == [2] && two.values == [2])
  }

  @Test("prefix: the first ones, and it is complete with the last of them", arguments: 1...3)
  func prefix(count: Int) {
    let source = Source(first: 1)
    let received = Received(source.publisher.prefix(count))
    source.send(2)
    #expect(source.cancellations == (count > 2 ? 0 : 1))
    source.send(3, 4)
    #expect(received.values == Array([1, 2, 3].prefix(count)))
    #expect(received.completions == [.finished])
    #expect(source.cancellations == 1)
  }

  @Test("prefix of no values is complete and subscribes to nothing", arguments: [0, -1])
  func prefixOfNone(count: Int) {
    let source = Source(first: 1)
    let received = Received(source.publisher.prefix(count))
    #expect(received.values == [])
    #expect(received.completions == [.finished])
    #expect(source.subscriptions == 0)
  }

  @Test("prefix of more than there are is complete with them")
  func shortPrefix() {
    let source = Source<Int, Failure>(Failure.self)
    let received = Received(source.publisher.prefix(3))
    source.send(1)
    source.end(.failure(Failure()))
    #expect(received.values == [1])
    #expect(received.completions == [.failure(Failure())])
  }

  @Test("first: stops the other one even when it sends several values before it can be stopped")
  func first() {
    let source = Source(first: 1, 2, 3)
    let received = Received(source.publisher.first())
    #expect(received.values == [1])
    #expect(received.completions == [.finished])
    #expect(source.cancellations == 1)
  }

  @Test("first: what is sent while its value is received is not received")
  func firstNested() {
    let source = Source<Int, Never>()
    let received = Received(source.publisher.first()) { _, _ in source.send(2) }
    source.send(1)
    #expect(received.values == [1])
    #expect(received.completions == [.finished])
  }

  @Test("collect: all values when there are no more of them")
  func collect() {
    let source = Source(first: 1)
    let received = Received(source.publisher.collect())
    source.send(2, 3)
    #expect(received.values == [])
    source.end()
    #expect(received.values == [[1, 2, 3]])
    #expect(received.completions == [.finished])
  }

  @Test("collect: none are an empty array, and an error leaves none")
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

  @Test("collect(_:): so many at a time, and what is left at the end")
  func collectCount() {
    let source = Source(first: 1)
    let received = Received(source.publisher.collect(2))
    source.send(2, 3)
    #expect(received.values == [[1, 2]])
    source.end()
    #expect(received.values == [[1, 2], [3]])
    #expect(received.completions == [.finished])
  }

  @Test("collect(_:): nothing is left where it comes out even, or after an error")
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

  @Test("One after another, each does its part, and canceling stops the first of all")
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
