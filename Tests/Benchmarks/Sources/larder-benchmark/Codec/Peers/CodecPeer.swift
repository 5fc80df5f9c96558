/// A codec, or a part that no codec can do without, in a separate process, so that the state of one
/// codec's heap cannot affect another.
protocol CodecPeer {
  var name: CodecPeerName { get }

  /// Returns a function that performs an operation a number of times and returns the processor time
  /// in nanoseconds, or nil if the peer does not support the operation.
  ///
  /// Reading parses the document in memory and releases the values. Writing serializes values that
  /// the peer has read beforehand and releases the document.
  func timer(
    _ operation: CodecOperation, _ document: SampleDocument
  ) throws -> ((Int) throws -> Double)?
}
