internal import CLinuxFile
internal import Glibc

/// A descriptor by which threads wake one that waits.
final class EventDescriptor: Sendable {
  private let descriptor: Descriptor

  /// A signal; nil when the process has too many open files.
  init?() {
    guard let descriptor = Descriptor(taking: larder_event_descriptor()) else { return nil }
    self.descriptor = descriptor
  }

  /// The number of the descriptor, which is readable when the signal was given.
  var number: Int32 { descriptor.number }

  /// Gives the signal.
  func signal() {
    var one: UInt64 = 1
    write(number, &one, MemoryLayout<UInt64>.size)
  }

  /// Takes the signal back.
  func clear() {
    var count: UInt64 = 0
    _ = read(number, &count, MemoryLayout<UInt64>.size)
  }
}
