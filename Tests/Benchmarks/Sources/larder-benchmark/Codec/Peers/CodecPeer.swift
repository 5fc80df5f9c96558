/// A codec, or a part of one that no codec can do without, in a process of its own: memory that one has
/// given back is not as it was before, and would be what the next one finds.
protocol CodecPeer {
  var name: CodecPeerName { get }

  /// Does an operation so many times and gives the nanoseconds of the processor that it took, or nil
  /// where the peer does not have it.
  ///
  /// Reading makes values of the document in memory and gives them up; writing makes the document in
  /// memory of values that the peer has read, and gives it up.
  func timer(
    _ operation: CodecOperation, _ document: SampleDocument
  ) throws -> ((Int) throws -> Double)?
}
