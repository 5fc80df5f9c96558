/// An object that an engine wakes at a set time.
protocol Alarm: AnyObject, Sendable {
  /// Called at the time, on a thread of the engine, without locks.
  func ring()
}

/// When objects are woken. This value only decides; it wakes nothing.
///
/// Setting a time and taking a due one take logarithmic time.
struct Alarms {
  private typealias Entry = (time: Moment, object: ObjectIdentifier)

  /// An object without a time has been woken and is kept until its next time or its removal.
  private var objects: [ObjectIdentifier: (alarm: any Alarm, time: Moment?)] = [:]
  /// A heap of times, including replaced and removed ones, which are skipped.
  private var heap: [Entry] = []

  var isEmpty: Bool { objects.isEmpty }

  /// The size of the heap.
  var timeCount: Int { heap.count }

  var all: some Sequence<any Alarm> { objects.values.lazy.map(\.alarm) }

  /// Keeps an object and sets its time, replacing an earlier one.
  mutating func set(_ alarm: any Alarm, at time: Moment) {
    objects[ObjectIdentifier(alarm)] = (alarm, time)
    if heap.count > 64, heap.count > objects.count * 2 { dropStaleTimes() }
    push((time, ObjectIdentifier(alarm)))
  }

  /// Removes and returns an object, to be released without locks.
  mutating func remove(_ alarm: any Alarm) -> (any Alarm)? {
    objects.removeValue(forKey: ObjectIdentifier(alarm))?.alarm
  }

  mutating func first() -> Moment? {
    while let first = heap.first, objects[first.object]?.time != first.time { popFirst() }
    return heap.first?.time
  }

  /// Removes the times that are due, and returns their objects.
  mutating func takeDue(at now: Moment) -> [any Alarm] {
    var due: [any Alarm] = []
    while let first = first(), first <= now, let entry = heap.first {
      popFirst()
      objects[entry.object]?.time = nil
      if let alarm = objects[entry.object]?.alarm { due.append(alarm) }
    }
    return due
  }

  // MARK: The heap

  private mutating func push(_ entry: Entry) {
    heap.append(entry)
    var child = heap.count - 1
    while child > 0, heap[child].time < heap[(child - 1) / 2].time {
      heap.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  private mutating func popFirst() {
    heap.swapAt(0, heap.count - 1)
    heap.removeLast()
    sink(0)
  }

  private mutating func sink(_ position: Int) {
    var parent = position
    while true {
      var child = parent * 2 + 1
      if child + 1 < heap.count, heap[child + 1].time < heap[child].time { child += 1 }
      guard child < heap.count, heap[child].time < heap[parent].time else { return }
      heap.swapAt(parent, child)
      parent = child
    }
  }

  private mutating func dropStaleTimes() {
    heap = objects.compactMap { object, entry in entry.time.map { ($0, object) } }
    for position in (0..<heap.count / 2).reversed() { sink(position) }
  }
}
