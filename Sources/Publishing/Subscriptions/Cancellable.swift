/// An activity that can be canceled.
public protocol Cancellable {
  /// Ends the activity. Further calls do nothing.
  func cancel()
}

extension Cancellable {
  /// Appends the activity to a collection, as a token that cancels it when it is deallocated.
  public func store(in collection: inout some RangeReplaceableCollection<AnyCancellable>) {
    collection.append(AnyCancellable(self))
  }

  /// Inserts the activity into a set, as a token that cancels it when it is deallocated.
  public func store(in set: inout Set<AnyCancellable>) {
    set.insert(AnyCancellable(self))
  }
}
