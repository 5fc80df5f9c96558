import Publishing
import Testing

@Suite("The values of a publisher can be iterated", .timeLimit(.minutes(5)))
struct PublishedValuesTests {
  @Test("Values that were sent before they are awaited are buffered, until the publisher completes")
  func all() async {
    let source = Source(first: 1)
    let values = source.publisher.values
    #expect(source.subscriptions == 0)
    var iterator = values.makeAsyncIterator()
    source.send(2, 3)
    source.end()
    var received: [Int] = []
    while let value = await iterator.next() { received.append(value) }
    #expect(received == [1, 2, 3])
  }

  @Test("Each iteration is a subscription of its own, which ends with it")
  func subscriptions() async {
    let source = Source(first: 1, 2)
    let values = source.publisher.values
    for _ in 1...2 {
      for await value in values where value == 2 { break }
    }
    #expect(source.subscriptions == 2)
    #expect(source.cancellations == 2)
  }

  @Test("The values of a publisher that completes at once are delivered")
  func immediate() async {
    let source = Source(first: 1, 2, 3)
    var received: [Int] = []
    for await value in source.publisher.first().values { received.append(value) }
    #expect(received == [1])
    #expect(source.cancellations == 1)
  }

  @Test("The iteration ends when the task is canceled")
  func cancellation() async {
    let source = Source(first: 1)
    let task = Task {
      var received: [Int] = []
      for await value in source.publisher.values {
        received.append(value)
        withUnsafeCurrentTask { $0?.cancel() }
      }
      return received
    }
    #expect(await task.value == [1])
    #expect(source.cancellations == 1)
  }
}
