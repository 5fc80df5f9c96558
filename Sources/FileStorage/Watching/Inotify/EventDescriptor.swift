internal import CLinuxFile
internal import Glibc

/// An event that a thread can wait for with poll(2).
final class EventDescriptor: Sendable {
  private let descriptor: Descriptor

  /// Creates an event that is not signaled; nil if the process has too many open files.
  init?() {
    guard let descriptor = Descriptor(taking: larder_event_descriptor()) else { return nil }
    self.descriptor = descriptor
  }

  /// The number of the descriptor, which is readable while the event is signaled.
  var number: Int32 { descriptor.number }

  /// Signals the event.
  func signal() {
    var one: UInt64 = 1
    write(number, &one, MemoryLayout<UInt64>.size)
  }

  /// Resets the event.
  func reset() {
    var count: UInt64 = 0
    _ = read(number, &count, MemoryLayout<UInt64>.size)
  }
}
